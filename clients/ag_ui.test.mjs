// AG-UI's own client against `/api/chat/ag-ui`. It checks the order and the form of every event, and
// a run whose events are wrong fails.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HttpAgent, buildResumeArray } from '@ag-ui/client';
import { ask, base, file, headers, picture, release } from './desk.mjs';

function opened(threadId = crypto.randomUUID()) {
  const agent = new HttpAgent({ url: `${base}/api/chat/ag-ui`, headers, threadId });
  const events = [];
  const endings = [];
  agent.subscribe({
    onEvent: ({ event }) => void events.push(event),
    onRunFinishedEvent: ({ outcome }) => void endings.push(outcome),
    onRunErrorEvent: ({ event }) => void endings.push(event.message),
  });
  const say = (content, more) => {
    agent.addMessage({ id: crypto.randomUUID(), role: 'user', content });
    return agent.runAgent(more);
  };
  return { agent, events, endings, say };
}

/** The types of events, each run of the same one once. */
const types = (events) =>
  events.map((it) => it.type).filter((type, index, all) => type !== all[index - 1]);

describe('ag-ui', { concurrency: true }, () => {
  test('an answer arrives, and the conversation is remembered', async () => {
    const { agent, events, endings, say } = opened();
    const { newMessages } = await say('Hello');
    assert.deepEqual(
      newMessages.map((it) => [it.role, it.content]),
      [['assistant', 'Questions so far: 1']],
    );
    assert.deepEqual(types(events), [
      'RUN_STARTED',
      'STEP_STARTED',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      'CUSTOM',
      'STEP_FINISHED',
      'RUN_FINISHED',
    ]);
    assert.equal(events.find((it) => it.type === 'CUSTOM').name, 'review');
    assert.equal(events[0].threadId, agent.threadId);
    await say('And again');
    assert.equal(agent.messages.at(-1).content, 'Questions so far: 2');
    assert.deepEqual(endings, ['success', 'success']);
  });

  test('a picture goes with a question, and one comes back from a tool', async () => {
    const { agent, endings, say } = opened();
    const source = { type: 'data', value: picture.toString('base64'), mimeType: 'image/png' };
    await say([
      { type: 'text', text: 'look' },
      { type: 'image', source },
    ]);
    assert.equal(agent.messages.at(-1).content, 'Attached: image/png');
    await file('ag-ui.png').write(picture);
    await say('show ag-ui.png');
    assert.deepEqual(endings, ['success', 'success']);
    const { content } = agent.messages.find((it) => it.role === 'tool');
    assert.deepEqual(
      content.map((it) => it.type),
      ['text', 'image'],
    );
    const answer = await fetch(new URL(content[1].source.value, base), { headers });
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), picture);
  });

  test('an answer has the form that was asked for', async () => {
    const { agent, endings, say } = opened();
    const schema = {
      type: 'object',
      properties: { tip: { type: 'number' }, total: { type: 'number' } },
      required: ['tip', 'total'],
    };
    await say('A tip?', { forwardedProps: { schema } });
    assert.deepEqual(JSON.parse(agent.messages.at(-1).content), { tip: 1.5, total: 11.5 });
    assert.ok(agent.messages.some((it) => it.role === 'tool'));
    assert.deepEqual(endings, ['success']);
  });

  test('thoughts come before the answer', async () => {
    const { agent, endings, say } = opened();
    await say('think');
    assert.deepEqual(
      agent.messages.slice(1).map((it) => [it.role, it.content]),
      [
        ['reasoning', 'Let me see.'],
        ['assistant', 'Thought.'],
      ],
    );
    assert.deepEqual(endings, ['success']);
  });

  test('a call shows what went in and what came out', async () => {
    const { agent, events, say } = opened();
    await say('A tip?');
    const [call, result, answer] = agent.messages.slice(1);
    assert.equal(call.role, 'assistant');
    assert.equal(call.toolCalls[0].function.name, 'calculate_tip');
    assert.deepEqual(JSON.parse(call.toolCalls[0].function.arguments), {
      amount: 10,
      percentage: 15,
    });
    assert.deepEqual([result.role, result.toolCallId], ['tool', call.toolCalls[0].id]);
    assert.match(result.content, /11\.5/);
    assert.equal(answer.content, 'The tip is $1.50.');
    assert.deepEqual(types(events).slice(1, 7), [
      'STEP_STARTED',
      'TOOL_CALL_START',
      'TOOL_CALL_ARGS',
      'TOOL_CALL_END',
      'TOOL_CALL_RESULT',
      'STEP_FINISHED',
    ]);
  });

  test('no call is left for the client to answer', async () => {
    const { agent, say } = opened();
    let pending;
    agent.subscribe({ onRunFinishedEvent: (it) => void (pending = it.pendingToolCallIds) });
    await say('A wrong call');
    assert.deepEqual(pending, []);
    assert.match(agent.messages.find((it) => it.role === 'tool').content, /amount/);
  });

  test('a run that fails says why', async () => {
    const { events, endings, say } = opened();
    await say('fail');
    assert.equal(events.at(-1).type, 'RUN_ERROR');
    assert.match(endings[0], /no such thing/);
  });

  test('what the server refuses fails the run', async () => {
    const { say } = opened('no id');
    await assert.rejects(say('Hello'), /422|1 to 64 letters/);
  });

  test('a run that is stopped is cancelled', async () => {
    const { agent, endings, say } = opened();
    const began = new Promise((resolve) => agent.subscribe({ onTextMessageContentEvent: resolve }));
    const said = say('hold ag-ui-stopped');
    await began;
    await ask('POST', `/api/conversations/${agent.threadId}/stop`);
    await said;
    assert.deepEqual(endings, ['cancelled']);
    assert.equal(agent.messages.at(-1).content, 'Once');
  });

  test('a run goes on when its client leaves', async () => {
    const { agent, say } = opened();
    const began = new Promise((resolve) => agent.subscribe({ onTextMessageContentEvent: resolve }));
    const said = say('hold ag-ui-left').catch(() => {});
    await began;
    agent.abortRun();
    await said;
    const answers = ask('GET', `/api/chat/ai-sdk/${agent.threadId}/stream`);
    await release('ag-ui-left');
    assert.match(await (await answers).text(), /upon a time/);
  });

  for (const [word, approved, becomes] of [
    ['allowed', true, 'new\n'],
    ['denied', false, 'old\n'],
  ]) {
    test(`a call interrupts the run until it is ${word}`, async () => {
      const name = `ag-ui-${word}.txt`;
      await file(name).write('old\n');
      const { agent, endings, say } = opened();
      await say(`edit ${name}`);
      assert.deepEqual(endings, ['interrupt']);
      const [interrupt] = agent.pendingInterrupts;
      assert.equal(interrupt.toolCallId, 'call_edit');
      assert.match(interrupt.message, /\+new/);
      assert.equal(await file(name).read(), 'old\n');
      const answers = { [interrupt.id]: { status: 'resolved', payload: { approved } } };
      await agent.runAgent({ resume: buildResumeArray(agent.pendingInterrupts, answers) });
      assert.deepEqual(endings, ['interrupt', 'success']);
      assert.deepEqual(agent.pendingInterrupts, []);
      assert.equal(agent.messages.at(-1).content, 'It was decided.');
      assert.equal(await file(name).read(), becomes);
    });
  }
});
