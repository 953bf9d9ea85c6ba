// A model that speaks OpenAI's API and says what the question asks for:
//
//   weather      calls `get_weather` and `calculate_tip` together, then says what they returned
//   tip          calls `calculate_tip`, then says what it came to
//   wrong call   calls it with arguments that do not fit, then says so
//   edit FILE    changes that file in the workspace, then says so
//   think        thinks before it speaks
//   show FILE    looks at that file in the workspace, then says so
//   delegate     asks the agent `helper` for a tip, then says so
//   how many     calls `asks` of the MCP server `fake`, then says what it returned
//   echo WORD    calls `echo` of the MCP server `fake`, where it is offered, then says what it returned
//   look         says what came with the question
//   options      says how it is to write
//   decline      declines, where it is to answer in a form
//   fail         answers 400
//   hold NAME    says one word, and the rest once `POST /release/NAME` was asked for
//
// Anything else is answered with how many questions the conversation has so far. It keeps nothing
// from one request to the next but what is held, so tests can run side by side.
import { createServer } from 'node:http';

const held = new Map();

/** What waits under a name: whichever side comes first makes it. */
function hold(name) {
  if (!held.has(name)) {
    let release;
    const released = new Promise((resolve) => (release = resolve));
    held.set(name, { release, released });
  }
  return held.get(name);
}

const call = (name, args, index = 0) => ({
  tool_calls: [
    {
      index,
      id: `call_${name}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    },
  ],
});

const text = (...pieces) => pieces.map((content) => ({ content }));

/** What a message is made of: its words, and the kinds of everything else. */
function parts(content) {
  if (!Array.isArray(content)) return { words: content ?? '', kinds: [] };
  const texts = content.filter((it) => it.type === 'text').map((it) => it.text);
  const others = content.filter((it) => it.type !== 'text');
  const kind = (it) => /^data:([^;]+)/.exec(it.image_url?.url ?? '')?.[1] ?? it.type;
  return { words: texts.join(''), kinds: others.map(kind) };
}

/** The pieces of a reply that has to have a form. */
function formed(messages) {
  const words = messages.filter((it) => it.role === 'user').map((it) => parts(it.content).words);
  if (words.some((it) => it.includes('decline'))) return [{ refusal: 'I would ' }, { refusal: 'rather not.' }];
  return text('{"tip": 1.5, ', '"total": 11.5}');
}

/** The pieces of a reply, in order; a promise among them is waited for. */
function reply(messages, body) {
  if (body.response_format) return formed(messages);
  const questions = messages.filter((it) => it.role === 'user');
  // A picture that a tool gave back comes as a message of its own, without words.
  const asked = questions.map((it) => parts(it.content)).filter((it) => it.words !== '');
  const { words: question = '', kinds = [] } = asked.at(-1) ?? {};
  const result = messages.at(-1).role === 'tool' ? messages.at(-1).content : undefined;
  if (question.includes('wrong call')) {
    return result === undefined
      ? [call('calculate_tip', { amount: 'much' })]
      : text('That did ', 'not fit.');
  }
  if (question.includes('weather')) {
    if (result === undefined) {
      return [
        call('get_weather', { location: 'San Francisco, CA' }),
        call('calculate_tip', { amount: 45.6, percentage: 20 }, 1),
      ];
    }
    const weather = messages.findLast((it) => it.tool_call_id === 'call_get_weather').content;
    return text(`${weather}; a tip `, `of $${JSON.parse(result).tip}.`);
  }
  if (question.includes('delegate')) {
    return result === undefined
      ? [call('helper', { input: 'A tip on 10?' })]
      : text('They ', 'did it.');
  }
  if (question.includes('tip')) {
    return result === undefined
      ? [call('calculate_tip', { amount: 10, percentage: 15 })]
      : text('The tip is ', '$1.50.');
  }
  const file_path = /edit (\S+)/.exec(question)?.[1];
  if (file_path) {
    const change = { file_path, old_string: 'old', new_string: 'new' };
    return result === undefined ? [call('edit', change)] : text('It was ', 'decided.');
  }
  if (question.includes('how many')) {
    return result === undefined ? [call('fake__asks', {})] : text(`It says: ${result}`);
  }
  const word = /echo (\S+)/.exec(question)?.[1];
  if (word) {
    const offered = (body.tools ?? []).some((it) => it.function.name === 'fake__echo');
    if (!offered) return text('Not ', 'offered.');
    return result === undefined ? [call('fake__echo', { text: word })] : text(`It says: ${result}`);
  }
  const shown = /show (\S+)/.exec(question)?.[1];
  if (shown) {
    const last = messages.findLastIndex((it) => parts(it.content).words.includes('show'));
    const looked = messages.slice(last).some((it) => it.role === 'tool');
    return looked ? text('There ', 'it is.') : [call('show', { file_path: shown })];
  }
  if (question.includes('options')) {
    const { temperature, max_tokens, stop, seed } = body;
    return text(JSON.stringify({ temperature, max_tokens, stop, seed }));
  }
  if (question.includes('look')) return text(`Attached: ${kinds.join(', ')}`);
  if (question.includes('think')) {
    return [{ reasoning_content: 'Let me ' }, { reasoning_content: 'see.' }, ...text('Thought.')];
  }
  const name = /hold (\S+)/.exec(question)?.[1];
  if (name) return [...text('Once '), hold(name).released, ...text('upon a time.')];
  return text('Questions ', 'so far: ', String(questions.length));
}

async function stream(response, model, pieces) {
  const send = (choices, more = {}) => {
    const chunk = { id: 'c', object: 'chat.completion.chunk', created: 0, model, choices, ...more };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const piece of pieces) {
    const delta = await piece;
    if (delta) send([{ index: 0, delta, finish_reason: null }]);
  }
  const reason = pieces.some((it) => it.tool_calls) ? 'tool_calls' : 'stop';
  send([{ index: 0, delta: {}, finish_reason: reason }]);
  send([], { usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 } });
  response.end('data: [DONE]\n\n');
}

const server = createServer(async (request, response) => {
  const name = /^\/release\/(.+)$/.exec(request.url)?.[1];
  if (name) {
    hold(name).release();
    return response.end();
  }
  let body = '';
  for await (const piece of request) body += piece;
  const asked = JSON.parse(body);
  const { model, messages } = asked;
  if (parts(messages.at(-1).content).words.includes('fail')) {
    response.writeHead(400, { 'content-type': 'application/json' });
    return response.end('{"error": {"message": "no such thing", "type": "invalid_request_error"}}');
  }
  await stream(response, model, reply(messages, asked));
});

server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
