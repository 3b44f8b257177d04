// replay_data.ts: fetches a finished match: its acts with the views behind them, or its file.
import { codeOf } from '../net/codes';
import { base64Of } from '../net/ids';
import { replayOf, type Given, type Replay } from './replay_read';

// A private table's match is for who knows its code: the table's members do.
async function get(id: string, what: string): Promise<Response | null> {
    const code = codeOf(base64Of(id));
    try {
        const answer = await fetch(`/api/matches/${id}/${what}`, {
            headers: code ? { Authorization: `Code ${code}` } : {},
        });
        return answer.ok ? answer : null;
    } catch {
        return null;
    }
}

// With a seat: as that seat saw it, its cards and what it alone was told included; the match is over, and nothing
// secret.
export async function fetchReplay(id: string, seat?: number): Promise<Replay | null> {
    const answer = await get(id, seat === undefined ? 'replay' : `replay?seat=${seat}`);
    return answer ? replayOf((await answer.json()) as Given, seat) : null;
}
export async function fetchFile(id: string): Promise<Uint8Array | null> {
    const answer = await get(id, 'file');
    return answer ? new Uint8Array(await answer.arrayBuffer()) : null;
}
