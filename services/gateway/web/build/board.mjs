// board.mjs: writes the dashboard of deploy/monitoring as TypeScript, so that the compiler judges it by the types that
// Grafana publishes. Only tests need it: `generated/board.ts`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { out, root } from './games.mjs';

const text = readFileSync(join(root, 'deploy/monitoring/grafana.json'), 'utf8');
const queries = JSON.parse(text).panels.flatMap((panel) => panel.targets);
writeFileSync(
    join(out, 'board.ts'),
    `import type { Dashboard, DataQuery } from '@grafana/schema';

export const board: Dashboard = ${text.trim()};

/** What the panels ask: Grafana's own package leaves that to the one for Prometheus. */
export const queries: (DataQuery & { expr: string; legendFormat: string })[] = ${JSON.stringify(queries, null, 4)};
`,
);
