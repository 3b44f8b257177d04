// opening.tsx: what the dead add to the dialog in which a table is opened: their edition.
import type { Opening } from '../face';
import { both, t } from '../../words/say';

// Fate cards make the third edition of a set-up, and of the two others one chooses.
function hasFates(setup: string, own: string): boolean {
    return own !== '' ? /"crossroads"\s*:/.test(own) : setup.includes('crossroads');
}

export const opening: Opening = {
    facts: (setup) =>
        both(['{r} rounds · {l} places · morale {m}', '{r} Runden · {l} Orte · Moral {m}'], {
            r: setup.goal?.rounds,
            l: setup.locations?.length,
            m: setup.goal?.moral,
        }),
    seats: (setup) => (setup.maxPlayers ? [1, setup.maxPlayers] : undefined),
    Choice: ({ setup, own, chosen }) =>
        hasFates(setup, own) ? null : (
            <label class="field">
                <span>{t('edition')}</span>
                <select
                    class="input"
                    value={chosen.value}
                    onChange={(event) => {
                        chosen.value = event.currentTarget.value;
                    }}
                >
                    <option value="">{t('edition_base')}</option>
                    <option value="equipment">{t('edition_equipment')}</option>
                </select>
            </label>
        ),
    options: (setup, own, chosen) => ({ edition: hasFates(setup, own) ? 'crossroads' : chosen || undefined }),
};
