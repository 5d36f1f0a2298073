// Checks a report in the browser: texts against their hashes, quotes against their places, the log against its chain,
// the head of the log against its signature, what is shown against the reports of the log. Everything shown is set as
// text, never as markup.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const encoder = new TextEncoder();
const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const sha256 = async (text) => hex(await crypto.subtle.digest("SHA-256", encoder.encode(text)));
// Places count code points, as everywhere in the log; a string of JavaScript counts UTF-16 units.
const points = new Map(Object.entries(data.texts).map(([name, text]) => [name, Array.from(text)]));
const cut = (source, start, end) => (points.get(source) ?? []).slice(start, end).join("");

const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

function create(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

async function checkTexts() {
  const wrong = [];
  for (const [name, text] of Object.entries(data.texts)) {
    if ((await sha256(text)) !== name) wrong.push(`the text ${name.slice(0, 12)} is not what its hash says`);
  }
  return { wrong, right: `${count(points.size, "stored text")}, by the given hash` };
}

async function checkQuotes() {
  const quotes = data.statements.flatMap((statement) => statement.quotes);
  const wrong = quotes
    .filter((quote) => cut(quote.source, quote.start, quote.end) !== quote.text)
    .map((quote) => `the quote at ${quote.start} of ${quote.source.slice(0, 12)} is not there`);
  return { wrong, right: `${count(quotes.length, "quote")}, word for word at the given place` };
}

async function checkLog() {
  let previous = "0".repeat(64);
  let due = 1;
  for (const each of data.log) {
    const todo = each.todo_id === null ? [] : [each.todo_id];
    const content = [each.session_id, each.seq, each.cycle, each.at, each.state, each.type, each.version];
    const own = await sha256(previous + JSON.stringify([...content, ...todo, await sha256(each.body)]));
    if (each.seq !== due || each.previous !== previous || each.hash !== own) {
      return { wrong: [`the chain of the log breaks at event ${due}`] };
    }
    previous = own;
    due += 1;
  }
  const whole = due - 1 === data.head.events && previous === data.head.hash;
  const wrong = whole ? [] : ["the log does not end where its head says"];
  return { wrong, right: `${count(data.log.length, "event")} of the log, linked up to the head ${previous.slice(0, 12)}` };
}

// What is shown has its white space on one line and a sign for what nobody sees, so letters and digits are compared.
const lettersOf = (text) => text.replace(/[^\p{L}\p{N}]|\p{Default_Ignorable_Code_Point}/gu, "");

function* objectsIn(value) {
  if (value === null || typeof value !== "object") return;
  yield value;
  for (const child of Object.values(value)) yield* objectsIn(child);
}

async function checkStatements() {
  const place = (quote) => [quote.source, quote.start, quote.end].join();
  // A claim has the places of its quotes; a passage of a brief is a quote itself.
  const written = new Set();
  for (const each of data.log.filter((event) => event.type === "report_written")) {
    for (const found of objectsIn(JSON.parse(each.body))) {
      if (typeof found.text === "string") written.add([found.text, ...(found.citations ?? [found]).map(place)].join("\n"));
    }
  }
  const shown = Array.from(document.querySelectorAll("article"), (each) => each.querySelector("bdi").textContent);
  const wrong = data.statements
    .filter(({ text, quotes }) => !written.has([text, ...quotes.map(place)].join("\n")))
    .map(({ number }) => `statement ${number} is in no report of the log`);
  data.statements.forEach(({ number, text }, index) => {
    if (lettersOf(shown[index] ?? "") !== lettersOf(text)) wrong.push(`statement ${number} is shown in other words`);
  });
  if (shown.length !== data.statements.length) wrong.push("other statements are shown");
  return { wrong, right: `${count(data.statements.length, "statement")}, with every quote in a report of the log` };
}

async function checkSignature() {
  const { key, signature, signed_at: at, head } = data.signed;
  const message = `quaestor log head 1\n${JSON.stringify([head.session_id, head.events, head.hash, at])}`;
  const imported = await crypto.subtle.importKey("raw", unhex(key), "Ed25519", false, ["verify"]);
  const holds = await crypto.subtle.verify("Ed25519", imported, unhex(signature), encoder.encode(message));
  const same = head.hash === data.head.hash && head.events === data.head.events;
  const wrong = holds && same ? [] : ["the signature does not fit the head of the log"];
  return { wrong, right: `the head is signed by the key ${key}; compare it with the one that its owner names` };
}

async function report(check) {
  const line = create("li", { className: "checking", textContent: "checking" });
  document.getElementById("checks").append(line);
  try {
    const { wrong, right } = await check();
    line.className = wrong.length ? "wrong" : "right";
    line.textContent = wrong.length ? `Does not hold: ${wrong.join("; ")}` : `Holds: ${right}`;
  } catch (error) {
    line.className = "unchecked";
    line.textContent = `Not checked, as this browser cannot: ${error.message ?? error}. \`quaestor verify\` can.`;
  }
}

function placeOf(quote) {
  const characters = `characters ${quote.start} to ${quote.end}`;
  return quote.place ? `${quote.place}, ${characters}` : characters;
}

function show(quote) {
  const text = points.get(quote.source) ?? [];
  const source = data.sources.find((each) => each.sha256 === quote.source);
  const mark = create("mark", { tabIndex: -1 }, cut(quote.source, quote.start, quote.end));
  document.getElementById("source").replaceChildren(
    create("h2", { textContent: source?.title ?? quote.source, dir: "auto" }),
    create("p", { className: "place" }, `${source?.uri ?? ""} · ${placeOf(quote)}`),
    create("pre", { dir: "auto" }, text.slice(0, quote.start).join(""), mark, text.slice(quote.end).join("")),
  );
  return mark;
}

for (const button of document.querySelectorAll("button[data-quote]")) {
  const [statement, place] = button.dataset.quote.split("/").map(Number);
  const quote = data.statements.find((each) => each.number === statement).quotes[place];
  button.addEventListener("click", () => {
    const mark = show(quote);
    mark.scrollIntoView({ block: "center" });
    mark.focus({ preventScroll: true });
  });
}

const ofLog = data.log ? [checkStatements, checkLog] : [];
const checks = [checkTexts, checkQuotes, ...ofLog, ...(data.signed ? [checkSignature] : [])];
(async () => {
  for (const check of checks) await report(check);
  document.documentElement.dataset.checked = "true";
})();
