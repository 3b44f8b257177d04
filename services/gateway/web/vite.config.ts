// vite.config.ts: how the page is built: one small first load, and a chunk for each game's board.
import { defineConfig } from 'vite';

export default defineConfig({
    esbuild: { jsx: 'automatic', jsxImportSource: 'preact', legalComments: 'none' },
    build: { target: 'es2021', modulePreload: { polyfill: false }, assetsInlineLimit: 0, reportCompressedSize: false },
    // A page under development speaks to an Arbiter that runs beside it.
    server: {
        proxy: {
            '/ws': { target: 'ws://127.0.0.1:8080', ws: true },
            '/api': 'http://127.0.0.1:8080',
            '/metrics': 'http://127.0.0.1:8080',
        },
    },
});
