// Stands before a server and shows its token: the conformance tests have none. All else goes through as it is;
// only where a request names this port, the server reads its own.
//
//     node with_token.mjs URL TOKEN     prints the address to use
import http from 'node:http';

const [url, token] = process.argv.slice(2);
const server = new URL(url);

const before = http.createServer((request, response) => {
  const headers = { ...request.headers, authorization: `Bearer ${token}` };
  for (const name of ['host', 'origin']) {
    if (headers[name]) headers[name] = headers[name].replace(`:${before.address().port}`, `:${server.port}`);
  }
  const { method, url: path } = request;
  const asked = http.request({ host: '127.0.0.1', port: server.port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    // A head without a body is sent at once, too: streams may stay silent for long.
    response.flushHeaders();
    answer.pipe(response);
  });
  asked.on('error', () => response.destroy());
  response.on('close', () => asked.destroy());
  request.pipe(asked);
});
before.listen(0, '127.0.0.1', () => {
  console.log(`http://localhost:${before.address().port}${server.pathname}`);
});
