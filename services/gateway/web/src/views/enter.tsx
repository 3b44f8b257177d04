// enter.tsx: a name and a picture, and one is in; nothing else is ever asked of a person.
import { signal, useSignal } from '@preact/signals';
import { door, enterAs, offered } from '../net/house';
import { AVATARS, Avatar } from '../ui/avatar';
import { isTooLong } from '../ui/name';
import { whyNot } from '../words/refusals';
import { t } from '../words/say';
import { OrOneOfThese } from './people';

const FIRST = [
    'Brisk',
    'Quiet',
    'Merry',
    'Bold',
    'Clever',
    'Gentle',
    'Lucky',
    'Wily',
    'Amber',
    'Silver',
    'Early',
    'Late',
    'Red',
    'Grey',
    'Swift',
    'Patient',
];
const LAST = [
    'Heron',
    'Badger',
    'Otter',
    'Falcon',
    'Marten',
    'Lynx',
    'Raven',
    'Stoat',
    'Fox',
    'Owl',
    'Hare',
    'Kite',
    'Newt',
    'Pike',
    'Wren',
    'Mole',
];
const any = (list: string[]): string => list[Math.floor(Math.random() * list.length)]!;
const invented = () => `${any(FIRST)} ${any(LAST)}`;

// A name for whoever does not mind; kept while the page is open, so that it does not change under his eyes.
export const proposed = { name: signal(invented()), avatar: signal(any(AVATARS)), isOwn: false };
const TRIES = 4;

// Comes in. A name that somebody has already is a matter of the person who chose it; an invented one is invented anew.
export async function comeIn(): Promise<string> {
    let why = isTooLong(proposed.name.value) ? t('name_too_long') : '';
    if (why !== '') return why;
    for (let n = 0; n < (proposed.isOwn ? 1 : TRIES); n++) {
        const turnedAway = await enterAs(proposed.name.value.trim(), proposed.avatar.value);
        if (!turnedAway) return '';
        why = whyNot(turnedAway);
        if (!proposed.isOwn) proposed.name.value = `${invented()} ${2 + Math.floor(Math.random() * 97)}`;
    }
    return why;
}

export function Enter() {
    const { name, avatar } = proposed;
    const fault = useSignal('');
    // Who came by a link of another device is told when it is used up.
    const refused = offered.value?.why ?? door.unwelcome.value?.refused;
    const submit = async (event: Event) => {
        event.preventDefault();
        if (fits) fault.value = await comeIn();
    };
    const isLong = isTooLong(name.value);
    const fits = name.value.trim() !== '' && !isLong;
    const why = isLong ? t('name_too_long') : fault.value || (refused ? whyNot({ refused }) : '');
    return (
        <section class="card hero">
            <div class="hello">
                <h1>{t('tagline')}</h1>
                <p>{t('tagline_more')}</p>
            </div>
            <form onSubmit={submit} class="stack">
                <label class="field">
                    <span>{t('your_name')}</span>
                    <input
                        class="input"
                        maxLength={24}
                        value={name.value}
                        onInput={(event) => {
                            name.value = event.currentTarget.value;
                            proposed.isOwn = true;
                        }}
                    />
                </label>
                <div class="field">
                    <span id="pictures">{t('your_picture')}</span>
                    <div class="pictures" role="radiogroup" aria-labelledby="pictures">
                        {AVATARS.map((one) => (
                            <button
                                type="button"
                                key={one}
                                role="radio"
                                aria-checked={avatar.value === one}
                                aria-label={one}
                                onClick={() => {
                                    avatar.value = one;
                                }}
                            >
                                <Avatar avatar={one} name="" />
                            </button>
                        ))}
                    </div>
                </div>
                <OrOneOfThese />
                <button class="button main" disabled={!fits}>
                    {t('come_in')}
                </button>
                {why !== '' ? (
                    <p class="notice bad small" role="alert">
                        {why}
                    </p>
                ) : (
                    <p class="soft small">{t('or_watch')}</p>
                )}
            </form>
        </section>
    );
}
