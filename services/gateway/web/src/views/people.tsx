// people.tsx: several people at one browser: who was here before, and a window for another one.
import { become, nextFree, people, who, type Person } from '../net/who';
import { Avatar } from '../ui/avatar';
import { t } from '../words/say';

function others(): Person[] {
    return people().filter((one) => one.who !== who);
}

function Choose({ all }: { all: readonly Person[] }) {
    return (
        <div class="buttons persons">
            {all.map((one) => (
                <button type="button" class="button small" key={one.who} onClick={() => become(one.who)}>
                    <Avatar avatar={one.avatar} name={one.name} /> {one.name}
                </button>
            ))}
        </div>
    );
}

// In the settings: this window for somebody else. Other windows stay as they are.
export function AnotherPlayer() {
    const next = nextFree();
    const all = others();
    return (
        <section class="stack">
            <h3>{t('in_this_window')}</h3>
            <p class="small soft">{t('in_this_window_more')}</p>
            {all.length > 0 ? <Choose all={all} /> : null}
            {next === undefined ? (
                <p class="small soft">{t('no_more_people')}</p>
            ) : (
                <div>
                    <button class="button" onClick={() => become(next)}>
                        {t('another_player')}
                    </button>
                </div>
            )}
        </section>
    );
}

// For whoever has no name in this window yet, though others at this browser have one.
export function OrOneOfThese() {
    const all = others();
    if (all.length === 0) return null;
    return (
        <div class="field">
            <span>{t('here_before')}</span>
            <Choose all={all} />
        </div>
    );
}
