import type { ServiceOf, userPreferences } from '@sibyl/protocol'
import type { ActionContext, ActionResult, Screen } from '../flow/flow.ts'
import type { MenuKit } from './menu-kit.ts'
import { action, menu } from './menu-screens.ts'

type Preferences = Awaited<ReturnType<ServiceOf<typeof userPreferences>['get']>>

/** Screens that choose a language, stored for the phone, and for the caller on every channel where preferences are stored. */
export const languageMenu = (kit: MenuKit): Record<string, Screen> => ({
  chooseLanguage: {
    kind: 'choice',
    text: kit.text('chooseLanguage'),
    items: () => kit.languages.map(({ code, name }) => ({ label: name, value: code })),
    empty: kit.text('chooseLanguage'),
    into: 'language',
    to: 'setLanguage',
  },
  setLanguage: { ...action(kit, setLanguage, ['languageSet']), effect: 'idempotent' },
  languageSet: menu(
    kit,
    'languageSet',
    { goOn: ({ customerId }) => (customerId === undefined ? 'accountMenu' : 'myAccount') },
    'preMenu',
  ),
})

const setLanguage = async (kit: MenuKit, context: ActionContext): Promise<ActionResult> => {
  const language = String(context.values.language)
  const did = kit.didOf(context)
  if (did !== undefined) await kit.preferences?.set(did, { language }).catch(notShared(kit))
  return {
    to: 'languageSet',
    language,
    values: { language: null },
    write: kit.phones.setLanguage(context.phoneNumber, language),
  }
}

/**
 * Returns the language that the user prefers on every channel, if the flow has it (`sw` for `sw-TZ` too, RFC 4647,
 * section 3.4) and the session has another one. The phone stores it as well.
 */
export const preferredLanguage = async (
  kit: MenuKit,
  context: ActionContext,
): Promise<Pick<ActionResult, 'language' | 'write'>> => {
  const did = kit.didOf(context)
  if (!kit.preferences || did === undefined) return {}
  const { language } = await kit.preferences.get(did).catch(notShared(kit))
  const spoken = language === undefined ? undefined : closestLanguage(language, kit.languages)
  if (spoken === undefined || spoken === context.language) return {}
  return { language: spoken, write: kit.phones.setLanguage(context.phoneNumber, spoken) }
}

/** Returns the code of the language for a tag, which is shortened from its end until one matches. */
const closestLanguage = (tag: string, languages: MenuKit['languages']): string | undefined => {
  const found = languages.find(({ code }) => code === tag)
  const end = tag.lastIndexOf('-')
  return found || end === -1 ? found?.code : closestLanguage(tag.slice(0, end), languages)
}

/** Other channels may not support or share the language, which is not an error for the caller. */
const notShared =
  ({ log }: MenuKit) =>
  (error: unknown): Preferences => {
    log.warn('the preferences of a caller cannot be reached', { error })
    return {}
  }
