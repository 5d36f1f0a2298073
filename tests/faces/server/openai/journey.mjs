// Drives every feature of the OpenAI-compatible API by the official JavaScript SDK. An assertion that fails ends it.
import assert from "node:assert/strict";

const { OPENAI_SDK, BASE_URL, TOKEN, COLLECTION, OTHER_TOKEN } = process.env;
const { default: OpenAI } = await import(OPENAI_SDK);

const LIGHTHOUSE = "When was the Aldmouth lighthouse built?";
const BELL = "When was the fog bell of Aldmouth cast?";
const model = "quaestor-research";
const tools = [{ type: "file_search", vector_store_ids: [COLLECTION] }];
const client = new OpenAI({ baseURL: BASE_URL, apiKey: TOKEN });

const all = async (stream) => {
  const events = [];
  for await (const event of stream) events.push(event);
  return events;
};

// models
const ids = [];
for await (const each of client.models.list()) ids.push(each.id);
assert.deepEqual(ids, ["quaestor-research", "quaestor-task"]);
assert.equal((await client.models.retrieve(model)).id, model);

// in the background, polled
let begun = await client.responses.create({ model, input: LIGHTHOUSE, tools, background: true });
assert.ok(["queued", "in_progress"].includes(begun.status));
let polled = begun;
while (["queued", "in_progress"].includes(polled.status)) {
  await new Promise((resolve) => setTimeout(resolve, 50));
  polled = await client.responses.retrieve(begun.id);
}
assert.equal(polled.status, "completed");
assert.match(polled.output_text, /1831/);

// annotations and proofs
const characters = [...polled.output_text];
const [message] = polled.output.filter((item) => item.type === "message");
const proofs = polled.output.filter((item) => item.type === "quaestor:quote_proof");
assert.ok(message.content[0].annotations.length > 0);
for (const cited of message.content[0].annotations) {
  const mark = characters.slice(cited.start_index, cited.end_index).join("");
  const proof = proofs.find((item) => mark === `[${item.number}]`);
  assert.equal(proof.sha256, cited.file_id);
  assert.equal([...proof.quote].length, proof.end - proof.start);
}

// streamed, and continued behind an event
const events = await all(await client.responses.create({ model, input: BELL, tools, stream: true }));
assert.deepEqual(events.map((event) => event.sequence_number), [...events.keys()]);
assert.equal(events[0].type, "response.created");
assert.equal(events.at(-1).type, "response.completed");
const streamed = events.at(-1).response;
const again = await all(await client.responses.retrieve(streamed.id, { stream: true, starting_after: 3 }));
assert.equal(again[0].type, "response.created");
assert.deepEqual(again.slice(1), events.slice(4));
const helper = client.responses.stream({ response_id: streamed.id, starting_after: 3 });
const final = await helper.finalResponse();
assert.deepEqual(final.output.map((item) => item.id), streamed.output.map((item) => item.id));
assert.equal(final.output_text, (await client.responses.retrieve(streamed.id)).output_text);

// a question to the person, its answer, and a follow-up question in the conversation
const asked = await client.responses.create({ model, input: "When was it built?", tools });
assert.equal(asked.metadata.quaestor_state, "clarification_needed");
const answered = await client.responses.create({ model, input: "the lighthouse", previous_response_id: asked.id });
assert.match(answered.output_text, /1831/);
const more = await client.responses.create({ model, input: BELL, conversation: answered.conversation.id });
assert.match(more.output_text, /1844/);
assert.equal((await client.conversations.retrieve(more.conversation.id)).id, more.conversation.id);
const items = [];
for await (const item of client.responses.inputItems.list(more.id)) items.push(item);
assert.deepEqual(items.map((item) => item.content[0].text), [BELL]);

// cancelled and erased
const cancelled = await client.responses.cancel(more.id);
assert.equal(cancelled.status, "completed"); // it had ended
await assert.rejects(client.responses.delete(more.id), OpenAI.ConflictError);
await client.responses.delete(streamed.id);
await assert.rejects(client.responses.retrieve(streamed.id), OpenAI.NotFoundError);
await client.conversations.delete(more.conversation.id);

// errors
const refused = await client.responses.create({ model, input: "x", colour: "red" }).catch((error) => error);
assert.ok(refused instanceof OpenAI.BadRequestError);
assert.deepEqual([refused.param, refused.code], ["colour", "unknown_parameter"]);
const stranger = new OpenAI({ baseURL: BASE_URL, apiKey: OTHER_TOKEN });
await assert.rejects(stranger.responses.retrieve(begun.id), OpenAI.NotFoundError);
await assert.rejects(new OpenAI({ baseURL: BASE_URL, apiKey: "none" }).models.list(), OpenAI.AuthenticationError);

// chat completions
const messages = [{ role: "user", content: LIGHTHOUSE }];
const completion = await client.chat.completions.create({ model, messages, tools });
assert.match(completion.choices[0].message.content, /^\[Session .*1831/s);
const chunks = await all(await client.chat.completions.create({ model, messages, tools, stream: true }));
assert.match(chunks[0].choices[0].delta.reasoning_content, /\/sessions\//);
assert.match(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join(""), /1831/);
assert.equal(chunks.at(-1).choices[0].finish_reason, "stop");
