import { canonicalLanguage, plainLanguage } from './language-tag.ts'
import { moreLanguages } from './more-languages.ts'

/**
 * Languages with known names: those with two letters (ISO 639-1), and some with three that millions of people speak.
 */
const named = (
  'aa ab af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cv cy da de dv dz ee el en eo es et eu ' +
  'fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi hr ht hu hy ia id ig ii ik is it iu ja jv ka kg ki kj kk kl km kn ko kr ' +
  'ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os ' +
  'pa pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tn to tr ts tt ty ' +
  'ug uk ur uz ve vi wa wo xh yi yo za zh zu ' +
  'bem bho ceb fil gsw guz haw hil hmn hsb ilo kab kam kln kok lag loz lua lun luo luy mai mas mer mfe min mos mwl naq nds ' +
  'nso nus nyn pap pcm rof saq seh sat ses shi skr sus swb teo tet tig tpi tum tzm umb vun war xog zgh'
).split(' ')

/** Creates the names; those of all languages are loaded on the first lookup. */
export const createLanguageNames = () => {
  let english: Intl.DisplayNames | undefined
  let tags: ReadonlyMap<string, string> | undefined
  const inEnglish = () => {
    english ??= new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
    return english
  }
  return {
    /**
     * Returns the tag of a language from its tag or a name, ignoring case and accents: `sw` for `Swahili`, `kiswahili`
     * and `SW`.
     */
    find(text: string): string | undefined {
      const name = folded(text)
      if (name === '') return undefined
      tags ??= readNames(inEnglish())
      return tags.get(name) ?? canonicalLanguage(text)
    },
    /** Returns the English name of a tag without its variants; undefined otherwise. */
    english: (tag: string): string | undefined =>
      inEnglish().of(plainLanguage(tag)) ?? moreLanguages.get(new Intl.Locale(tag).language)?.[0],
  }
}

/** Names of languages, in English and in the language itself. */
export type LanguageNames = ReturnType<typeof createLanguageNames>

const readNames = (inEnglish: Intl.DisplayNames): ReadonlyMap<string, string> => {
  const names = named.flatMap(tag => {
    const own = new Intl.DisplayNames([tag], { type: 'language', fallback: 'none' })
    return [inEnglish.of(tag), own.of(tag)].flatMap(name => (name === undefined ? [] : [[folded(name), tag] as const]))
  })
  const more = [...moreLanguages].flatMap(([tag, its]) => its.map(name => [folded(name), tag] as const))
  return new Map([...more, ...names.toReversed()])
}

const folded = (text: string): string =>
  text
    .slice(0, 100)
    .normalize('NFD')
    .replace(/[\p{M}.]/gu, '')
    .toLowerCase()
    .trim()
    .replace(/\s+/g, ' ')
