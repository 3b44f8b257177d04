// test.mjs: runs the unit tests: each is bundled as the page is, and given to node's own runner.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(join(tmpdir(), 'arbiter-page-'));
const tests = readdirSync(join(here, 'tests')).filter((name) => name.endsWith('.test.ts'));
await build({
    entryPoints: tests.map((name) => join(here, 'tests', name)),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node18',
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'error',
    banner: { js: `const TEST_FOLDER = ${JSON.stringify(join(here, 'tests'))};` },
});
const built = readdirSync(folder)
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => join(folder, name));
const { status } = spawnSync(process.execPath, ['--test', ...built], { stdio: 'inherit' });
rmSync(folder, { recursive: true });
process.exit(built.length > 0 ? (status ?? 1) : 1);
