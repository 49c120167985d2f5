// What Go sends, one of each, as Go's own test has written it down.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { appEvent, chatPage, chatView, modelsView, settingsView } from ".";

const file = resolve(import.meta.dirname, "../../../../app/testdata/contract.golden.json");
const golden = v.parse(
  v.object({
    events: v.array(v.unknown()),
    chatView: v.unknown(),
    chatPage: v.unknown(),
    modelsView: v.unknown(),
    settingsView: v.unknown(),
  }),
  JSON.parse(readFileSync(file, "utf8")),
);

describe("the contract with Go", () => {
  it.each(golden.events.map((event, index) => [index, event]))("reads event %i", (_, event) => {
    // Every field that Go sends is one that the page knows.
    expect(v.parse(appEvent, event)).toMatchObject(event as object);
  });

  it.each([
    ["a chat", chatView, golden.chatView],
    ["a page of chats", chatPage, golden.chatPage],
    ["the models", modelsView, golden.modelsView],
    ["the settings", settingsView, golden.settingsView],
  ])("reads %s", (_, schema, sent) => {
    expect(v.parse(schema as v.GenericSchema, sent)).toMatchObject(sent as object);
  });
});
