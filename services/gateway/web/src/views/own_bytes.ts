// own_bytes.ts: looks for a player's own bytes in the file of a match that has just ended.
import { judgeFile } from '../net/dice';
import { me } from '../net/house';
import { hexOf } from '../net/ids';
import { fetchFile } from './replay_data';

const TRIES = 5;
const AGAIN_MS = 1000;

// The file of a match that ends just now may be a moment away.
async function fileOf(id: string): Promise<Uint8Array | null> {
    for (let n = 1; ; n++) {
        const file = await fetchFile(id);
        if (file || n === TRIES) return file;
        await new Promise((resolve) => {
            setTimeout(resolve, AGAIN_MS * n);
        });
    }
}

export async function lookForOwn(match: string, seat: number) {
    const player = me.value?.player;
    const file = player === undefined ? null : await fileOf(hexOf(match));
    if (!file || player === undefined) return 'honest_unseen';
    switch (await judgeFile(file, player, match, seat)) {
        case 'own':
            return 'honest';
        case 'without':
            return 'honest_without';
        default:
            return 'not_honest';
    }
}
