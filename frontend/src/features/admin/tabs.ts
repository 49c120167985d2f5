/** The tabs of the settings, in their order. */
export const tabs = ["general", "models", "about"] as const;
export type Tab = (typeof tabs)[number];
