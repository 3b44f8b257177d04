// enter.tsx: a name and a picture, and one is in; nothing else is ever asked of a person.
import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { door, enterAs } from '../net/house';
import { AVATARS, Avatar } from '../ui/avatar';
import { t } from '../words/say';

const FIRST = ['Brisk', 'Quiet', 'Merry', 'Bold', 'Clever', 'Gentle', 'Lucky', 'Wily'];
const LAST = ['Heron', 'Badger', 'Otter', 'Falcon', 'Marten', 'Lynx', 'Raven', 'Stoat'];
const any = (list: string[]): string => list[Math.floor(Math.random() * list.length)]!;

// A name for whoever does not mind; kept while the page is open, so that it does not change under his eyes.
export const proposed = { name: signal(`${any(FIRST)} ${any(LAST)}`), avatar: signal(any(AVATARS)) };

export function Enter() {
    const { name, avatar } = proposed;
    const fault = useSignal('');
    useEffect(() => {
        fault.value = '';
    }, [name.value]);
    const submit = async (event: Event) => {
        event.preventDefault();
        if (name.value.trim() !== '' && !(await enterAs(name.value.trim(), avatar.value))) fault.value = door.closing.value || t('name_taken');
    };
    return (
        <section class="card hero">
            <div class="hello"><h1>{t('tagline')}</h1><p>{t('tagline_more')}</p></div>
            <form onSubmit={submit} class="stack">
                <label class="field"><span>{t('your_name')}</span>
                    <input class="input" maxLength={24} value={name.value} onInput={(event) => { name.value = event.currentTarget.value; }} /></label>
                <div class="field"><span id="pictures">{t('your_picture')}</span>
                    <div class="pictures" role="radiogroup" aria-labelledby="pictures">{AVATARS.map((one) => (
                        <button type="button" key={one} role="radio" aria-checked={avatar.value === one} aria-label={one}
                            onClick={() => { avatar.value = one; }}><Avatar avatar={one} name="" /></button>))}</div></div>
                <button class="button main" disabled={name.value.trim() === ''}>{t('come_in')}</button>
                {fault.value ? <p class="notice bad small" role="alert">{fault.value}</p> : <p class="soft small">{t('or_watch')}</p>}
            </form>
        </section>
    );
}
