// A small static server for dist/: for a look at the page, and for the browser tests.
//   node scripts/serve.mjs [--port N]

import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);

/** @type {Record<string, string>} */
const types = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ts': 'text/plain; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

/** Already compressed; packing them again costs time and gains nothing. */
const packed = new Set(['.png', '.woff2']);

/**
 * The file a request asks for, or undefined when it asks for nothing below `root`.
 * @param {string} root
 * @param {string} prefix
 * @param {string} address
 */
function fileOf(root, prefix, address) {
  let pathname;
  try {
    pathname = decodeURIComponent(address.split(/[?#]/, 1)[0]);
  } catch {
    return undefined;
  }
  if (!pathname.startsWith(prefix) || pathname.includes('\0')) return undefined;
  const file = path.join(root, pathname.slice(prefix.length) || 'index.html');
  return file.startsWith(root + path.sep) ? file : undefined;
}

/**
 * Serves `root` on this machine only.
 * @param {{ root: string, port?: number, prefix?: string }} options `port` 0 takes a free one; `prefix` mounts the
 *   folder under a path such as `/some/where/`
 * @returns {Promise<{ url: string, port: number, close: () => Promise<void> }>}
 */
export async function startServer({ root, port = 0, prefix = '/' }) {
  const folder = path.resolve(root);
  /** @type {Map<string, { time: number, body: Buffer, gzipped?: Buffer }>} */
  const cache = new Map();

  /** @param {string} file */
  async function load(file) {
    const { mtimeMs: time } = await stat(file);
    const known = cache.get(file);
    if (known?.time === time) return known;
    const body = await readFile(file);
    const gzipped = packed.has(path.extname(file)) ? undefined : await compress(body);
    const loaded = { time, body, gzipped };
    cache.set(file, loaded);
    return loaded;
  }

  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { Allow: 'GET, HEAD' }).end();
      return;
    }
    const file = fileOf(folder, prefix, request.url ?? '/');
    const loaded = file && (await load(file).catch(() => undefined));
    if (!loaded) {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('not found\n');
      return;
    }
    const zip = loaded.gzipped && /\bgzip\b/.test(String(request.headers['accept-encoding']));
    const body = zip ? loaded.gzipped : loaded.body;
    const inAssets = path.relative(folder, file).startsWith(`assets${path.sep}`);
    response.writeHead(200, {
      'Content-Type': types[path.extname(file)] ?? 'application/octet-stream',
      'Content-Length': body?.length,
      // Names below assets/ change with their content.
      'Cache-Control': inAssets ? 'public, max-age=31536000, immutable' : 'no-cache',
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Accept-Encoding',
      ...(zip ? { 'Content-Encoding': 'gzip' } : {}),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  });

  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(undefined));
  });
  const taken = /** @type {import('node:net').AddressInfo} */ (server.address()).port;
  return {
    url: `http://localhost:${taken}${prefix}`,
    port: taken,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** @param {string[]} words */
async function main(words) {
  const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', 'dist');
  const asked = words[0] === '--port' ? Number(words[1]) : undefined;
  const first = asked ?? 8000;
  const last = asked === undefined ? first + 20 : first; // an unasked-for port gives way to the next free one
  for (let port = first; ; port += 1) {
    try {
      const { url } = await startServer({ root, port });
      console.log(`The page is at ${url}   (Ctrl+C stops the server)`);
      return;
    } catch (error) {
      const busy = /** @type {NodeJS.ErrnoException} */ (error).code === 'EADDRINUSE';
      if (!busy) throw error;
      if (port >= last) {
        console.error(`Port ${port} is in use; choose another with --port.`);
        process.exitCode = 1;
        return;
      }
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
