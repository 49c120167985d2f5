export { startSupervisor, type Supervisor, type Wiring } from "./supervisor";
