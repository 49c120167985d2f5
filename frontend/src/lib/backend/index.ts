export type { Backend, FenceRef, General, TurnRef } from "./backend";
export { getBackend, setBackend } from "./context";
export { BackendError, toBackendError } from "./error";
