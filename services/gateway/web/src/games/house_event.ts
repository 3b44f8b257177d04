// house_event.ts: what the house itself says in a match, in words.
import type { HouseEvent } from '../generated/stream';
import { t } from '../words/say';
import type { Names } from './face';

// `hasDice`: else nothing is said of how they were made.
export function houseSentence(event: HouseEvent, names: Names, hasDice: boolean): string | null {
    const isOfDice = event.dice_committed ?? event.hash_posted ?? event.bytes_revealed ?? event.seat_silent;
    if (isOfDice && !hasDice) return null;
    if (event.dice_committed) return t('dice_committed');
    if (event.hash_posted) return t('hash_posted', { name: names.name(event.hash_posted.seat ?? 0) });
    if (event.bytes_revealed) return t('bytes_revealed', { name: names.name(event.bytes_revealed.seat ?? 0) });
    if (event.seat_silent) return t('seat_silent', { name: names.name(event.seat_silent.seat ?? 0) });
    if (event.seat_changed) return t('seat_changed', { name: names.name(event.seat_changed.seat ?? 0) });
    if (event.wait_restarted) return t('wait_restarted');
    if (event.match_aborted) return t('match_aborted', { reason: event.match_aborted.reason });
    return t('secrets_shown');
}
