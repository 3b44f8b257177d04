// squeeze.mjs: lays a compressed copy beside each asset, since the house's web server compresses nothing itself,
// and holds the first load to its promise.
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const FIRST_LOAD_MAX = 150 * 1024;
const dist = join(dirname(fileURLToPath(import.meta.url)), '../dist');

function* walk(folder) {
    for (const name of readdirSync(folder)) {
        const path = join(folder, name);
        if (statSync(path).isDirectory()) yield* walk(path);
        else if (/\.(js|css|html|svg|json|webmanifest)$/.test(name)) yield path;
    }
}

const sizes = {};
for (const path of walk(dist)) {
    const bytes = gzipSync(readFileSync(path), { level: 9 });
    writeFileSync(`${path}.gz`, bytes);
    sizes[path.slice(dist.length + 1)] = bytes.length;
}
// What the browser fetches before anything is drawn: the page, and the scripts and styles it names.
const html = readFileSync(join(dist, 'index.html'), 'utf8');
const first = ['index.html', ...[...html.matchAll(/(?:src|href)="\/([^"]+)"/g)].map((match) => match[1])];
const total = first.reduce((sum, name) => sum + (sizes[name] ?? 0), 0);
console.log(`first load: ${total} bytes compressed; everything: ${Object.values(sizes).reduce((a, b) => a + b, 0)}`);
if (total > FIRST_LOAD_MAX) {
    console.error(`squeeze: the first load is larger than ${FIRST_LOAD_MAX} bytes`);
    process.exit(1);
}
