// Pieces that every part of the contract is made of. The shapes are the JSON of
// the Go types of the same name; a golden file written by Go holds them together.
import * as v from "valibot";

export const id = v.pipe(v.string(), v.minLength(1));
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** A failure as a code and parameters; the message catalogue words it. */
export const appError = v.object({
  code: v.string(),
  params: v.optional(v.record(v.string(), v.string()), {}),
});
export type AppError = v.InferOutput<typeof appError>;
