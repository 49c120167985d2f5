export * from "./app";
export * from "./base";
export * from "./event";
export * from "./kernel";
export * from "./run";
export * from "./turn";
