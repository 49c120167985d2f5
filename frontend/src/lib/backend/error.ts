import * as v from "valibot";
import { appError, type AppError } from "../contract";

/** A failure of a call to Go: a code and parameters for the message catalogue. */
export class BackendError extends Error implements AppError {
  readonly code: string;
  readonly params: Record<string, string>;

  constructor(error: AppError) {
    super(error.code);
    this.name = "BackendError";
    this.code = error.code;
    this.params = error.params;
  }
}

/** Makes a BackendError of whatever was thrown; what is not known becomes "internal". */
export function toBackendError(reason: unknown): BackendError {
  if (reason instanceof BackendError) return reason;
  const parsed = v.safeParse(appError, reason);
  if (parsed.success) return new BackendError(parsed.output);
  if (typeof reason === "string") return fromText(reason);
  const detail = reason instanceof Error ? reason.message : String(reason);
  return new BackendError({ code: "internal", params: { detail } });
}

/** Wails gives a rejection as text where no formatter ran, for instance for a panic. */
function fromText(text: string): BackendError {
  try {
    const parsed = v.safeParse(appError, JSON.parse(text));
    if (parsed.success) return new BackendError(parsed.output);
  } catch {
    // Not JSON: the text itself is the detail.
  }
  return new BackendError({ code: "internal", params: { detail: text } });
}
