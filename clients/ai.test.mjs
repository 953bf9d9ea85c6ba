// The AI SDK against `/api/chat/ai-sdk`, in every major version that speaks its stream.
//
// `Chat` is what `useChat` is made of, without React: the SDK's own transport, its checks of every
// part, and its messages.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as ai5 from 'ai5';
import * as ai6 from 'ai6';
import * as ai7 from 'ai7';
import { ask, base, file, headers, picture, release } from './desk.mjs';

/** A chat whose messages can be waited for. */
function opened(sdk, options = {}) {
  const waiting = [];
  const changed = (messages) => {
    for (const it of waiting.splice(0)) it.when(messages) ? it.resolve(messages) : waiting.push(it);
  };
  const state = {
    status: 'ready',
    error: undefined,
    messages: [],
    pushMessage: (message) => changed(state.messages.push(message) && state.messages),
    popMessage: () => state.messages.pop(),
    replaceMessage(index, message) {
      state.messages[index] = message;
      changed(state.messages);
    },
    snapshot: structuredClone,
  };
  const transport = new sdk.DefaultChatTransport({ api: `${base}/api/chat/ai-sdk`, headers });
  const finished = [];
  class Chat extends sdk.AbstractChat {}
  const chat = new Chat({ ...options, transport, state, onFinish: (it) => finished.push(it) });
  const until = (when) => new Promise((resolve) => waiting.push({ when, resolve }));
  return { chat, transport, finished, until };
}

const text = (message) =>
  message.parts
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('');

const says = (word) => (messages) =>
  messages.at(-1).role === 'assistant' && text(messages.at(-1)).includes(word);

const tools = (message) => message.parts.filter((part) => part.type === 'dynamic-tool');

for (const [version, sdk] of Object.entries({ ai5, ai6, ai7 })) {
  describe(version, { concurrency: true }, () => {
    test('an answer arrives, and the conversation is remembered', async () => {
      const { chat, finished } = opened(sdk);
      await chat.sendMessage({ text: 'Hello' });
      assert.equal(chat.error, undefined);
      assert.equal(chat.status, 'ready');
      const answer = chat.messages[1];
      assert.equal(text(answer), 'Questions so far: 1');
      assert.equal(answer.metadata.conversationId, chat.id);
      assert.equal(
        answer.metadata.usage.total_tokens ?? answer.metadata.usage.prompt_tokens + 3,
        8,
      );
      await chat.sendMessage({ text: 'And again' });
      assert.equal(text(chat.messages[3]), 'Questions so far: 2');
      assert.deepEqual(
        finished.map((it) => [it.isAbort, it.isError, it.isDisconnect]),
        [
          [false, false, false],
          [false, false, false],
        ],
      );
      const kept = await (await ask('GET', `/api/conversations/${chat.id}`)).json();
      assert.deepEqual([kept.runs, kept.state], [2, 'idle']);
    });

    test('thoughts come before the answer', async () => {
      const { chat } = opened(sdk);
      await chat.sendMessage({ text: 'think' });
      const parts = chat.messages[1].parts.map((part) => [part.type, part.text, part.state]);
      assert.deepEqual(parts, [
        ['step-start', undefined, undefined],
        ['reasoning', 'Let me see.', 'done'],
        ['text', 'Thought.', 'done'],
        ['data-review', undefined, undefined],
      ]);
    });

    test('a call shows what went in and what came out', async () => {
      const { chat } = opened(sdk);
      await chat.sendMessage({ text: 'A tip?' });
      const [, answer] = chat.messages;
      assert.deepEqual(
        answer.parts.map((part) => part.type),
        ['step-start', 'dynamic-tool', 'step-start', 'text', 'data-review'],
      );
      const [call] = tools(answer);
      assert.equal(call.toolName, 'calculate_tip');
      assert.equal(call.state, 'output-available');
      assert.deepEqual(call.input, { amount: 10, percentage: 15 });
      assert.deepEqual(call.output, { tip: 1.5, total: 11.5 });
      assert.equal(text(answer), 'The tip is $1.50.');
    });

    test('an answer has the form that was asked for', async () => {
      const { chat } = opened(sdk);
      const properties = { tip: { type: 'number' }, total: { type: 'number' } };
      const schema = { type: 'object', properties, required: ['tip', 'total'] };
      await chat.sendMessage({ text: 'A tip?' }, { body: { schema } });
      assert.equal(chat.error, undefined);
      assert.deepEqual(JSON.parse(text(chat.messages[1])), { tip: 1.5, total: 11.5 });
      const options = { temperature: 0.5, stop: 'END' };
      await chat.sendMessage({ text: 'options' }, { body: { options } });
      assert.deepEqual(JSON.parse(text(chat.messages[3])), { temperature: 0.5, stop: ['END'] });
      await chat.sendMessage({ text: 'options' }, { body: { options: { headers: { a: 'b' } } } });
      assert.match(chat.error.message, /options\.headers/);
    });

    test('a file goes with a question', async () => {
      const { chat } = opened(sdk);
      const url = `data:image/png;base64,${picture.toString('base64')}`;
      const files = [{ type: 'file', mediaType: 'image/png', filename: 'a.png', url }];
      await chat.sendMessage({ text: 'look', files });
      assert.equal(chat.error, undefined);
      assert.equal(text(chat.messages[1]), 'Attached: image/png');
      const remote = [{ ...files[0], url: 'https://example.org/a.png' }];
      await chat.sendMessage({ text: 'look', files: remote });
      assert.match(chat.error.message, /messages\[2\]\.parts\[\d\].*is not fetched/);
    });

    test('a file that a tool gave back is there', async () => {
      await file(`${version}.png`).write(picture);
      const { chat } = opened(sdk);
      await chat.sendMessage({ text: `show ${version}.png` });
      assert.equal(chat.error, undefined);
      const given = chat.messages[1].parts.find((part) => part.type === 'file');
      assert.equal(given.mediaType, 'image/png');
      const answer = await fetch(new URL(given.url, base), { headers });
      assert.equal(answer.headers.get('content-type'), 'image/png');
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), picture);
    });

    test('a call that did not run shows why', async () => {
      const { chat } = opened(sdk);
      await chat.sendMessage({ text: 'A wrong call' });
      const [call] = tools(chat.messages[1]);
      assert.equal(call.state, 'output-error');
      assert.match(call.errorText, /amount/);
      assert.equal(text(chat.messages[1]), 'That did not fit.');
    });

    test('a run that fails is an error of the chat', async () => {
      const { chat, finished } = opened(sdk);
      await chat.sendMessage({ text: 'fail' });
      assert.equal(chat.status, 'error');
      assert.match(chat.error.message, /no such thing/);
      assert.equal(finished[0].isError, true);
    });

    test('what the server refuses is an error of the chat', async () => {
      const { chat } = opened(sdk, { id: 'no id' });
      await chat.sendMessage({ text: 'Hello' });
      assert.equal(chat.status, 'error');
      assert.match(chat.error.message, /1 to 64 letters/);
    });

    // In its own place: the answer before is not said, as far as the model is concerned.
    test('a question is asked again', async () => {
      const { chat } = opened(sdk);
      await chat.sendMessage({ text: 'Hello' });
      const first = chat.messages[1].id;
      await chat.regenerate();
      assert.equal(chat.error, undefined);
      assert.deepEqual(
        chat.messages.map((it) => [it.role, text(it)]),
        [
          ['user', 'Hello'],
          ['assistant', 'Questions so far: 1'],
        ],
      );
      assert.notEqual(chat.messages[1].id, first);
    });

    test('a run that is stopped ends, and what was said stays', async () => {
      const { chat, until } = opened(sdk);
      const began = until(says('Once'));
      const sent = chat.sendMessage({ text: `hold ${version}-stopped` });
      await began;
      await ask('POST', `/api/conversations/${chat.id}/stop`);
      await sent;
      assert.equal(chat.error, undefined);
      assert.equal(chat.status, 'ready');
      assert.equal(text(chat.messages[1]), 'Once');
    });

    test('a run goes on when its client leaves, and another takes it up', async () => {
      const name = `${version}-resumed`;
      const first = opened(sdk);
      const began = first.until(says('Once'));
      const sent = first.chat.sendMessage({ text: `hold ${name}` });
      await began;
      await first.chat.stop();
      await sent;
      assert.equal(first.finished[0].isAbort, true);
      const second = opened(sdk, { id: first.chat.id });
      const caught = second.until(says('Once'));
      const resumed = second.chat.resumeStream();
      await caught;
      await release(name);
      await resumed;
      assert.equal(text(second.chat.messages[0]), 'Once upon a time.');
      assert.equal(await second.transport.reconnectToStream({ chatId: first.chat.id }), null);
    });

    test('a call that somebody must look at waits for a decision', async () => {
      const name = `${version}.txt`;
      await file(name).write('old\n');
      const { chat, until } = opened(sdk);
      const asked = until((messages) =>
        messages.at(-1).parts.some((part) => part.type === 'data-approval'),
      );
      const sent = chat.sendMessage({ text: `edit ${name}` });
      const [, answer] = await asked;
      const { data } = answer.parts.find((part) => part.type === 'data-approval');
      assert.equal(await file(name).read(), 'old\n');
      await ask('POST', `/api/conversations/${chat.id}/decisions`, {
        call_id: data.toolCallId,
        fingerprint: data.fingerprint,
        verdict: 'allow',
      });
      await sent;
      assert.equal(tools(chat.messages[1])[0].state, 'output-available');
      assert.equal(text(chat.messages[1]), 'It was decided.');
      assert.equal(await file(name).read(), 'new\n');
    });
  });
}
