// steward.ts: what those ask of the house who look after it, by a token: people, matches, deeds.
import type { Answer, Ask } from '../generated/lobby';

// The lobby's answer; where there is none, a sentence says why.
export async function askHouse(token: string, ask: Ask): Promise<Answer> {
    try {
        const answer = await fetch('/api/house', {
            method: 'POST',
            headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
            body: JSON.stringify(ask),
        });
        return (await answer.json()) as Answer;
    } catch {
        return { verdict: 'VERDICT_UNSPECIFIED' };
    }
}
