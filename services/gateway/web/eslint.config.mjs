// eslint.config.mjs: what the linter asks of the page; how it is laid out is prettier's to say.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import hooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

// The three types of whose shape nobody here knows: a game's message, a set-up, and a message read from a match file.
const SHAPELESS = ['src/proto/game.ts', 'src/matchfile/bytes.ts'];
// What they hold is `any`, so these rules would speak wherever a board looks into one.
const OF_SHAPELESS = ['argument', 'assignment', 'call', 'member-access', 'return'];
const off = OF_SHAPELESS.map((what) => [`@typescript-eslint/no-unsafe-${what}`, 'off']);

const LINES = { 'max-len': ['error', { code: 120 }] };

export default tseslint.config(
    { ignores: ['dist/', 'src/generated/'] },
    { linterOptions: { reportUnusedDisableDirectives: 'error' } },
    {
        files: ['src/**/*.{ts,tsx}', 'tests/*.ts'],
        extends: [tseslint.configs.recommendedTypeChecked],
        languageOptions: {
            parserOptions: { projectService: true, tsconfigRootDir: dirname(fileURLToPath(import.meta.url)) },
        },
        plugins: { 'react-hooks': hooks },
        rules: {
            ...LINES,
            ...Object.fromEntries(off),
            'react-hooks/rules-of-hooks': 'error',
            eqeqeq: 'error',
            'no-console': 'error',
            'prefer-const': 'error',
            // What an element does when it is clicked may take time; nobody waits for it.
            '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
            // Node's runner waits for its tests by itself.
            '@typescript-eslint/no-floating-promises': [
                'error',
                { allowForKnownSafeCalls: [{ from: 'package', name: ['test', 'default'], package: 'node:test' }] },
            ],
        },
    },
    { files: SHAPELESS, rules: { '@typescript-eslint/no-explicit-any': 'off' } },
    {
        files: ['build/*.mjs', '*.mjs', '*.ts'],
        extends: [tseslint.configs.recommended],
        languageOptions: { globals: { console: 'readonly', process: 'readonly' } },
        rules: { ...LINES, 'no-undef': 'error' },
    },
);
