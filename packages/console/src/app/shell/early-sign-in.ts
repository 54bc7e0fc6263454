import { type ConsoleBase, pathBelow } from '../api/console-base.ts'
import { metaOf } from '../i18n/as-called.ts'
import { type Language, languages, storeLanguage } from '../i18n/languages.ts'
import { beginSignIn, requestedScopes } from '../session/oauth.ts'

/** The messages of the frame, as far as the early sign-in has them. */
export interface SignInTexts {
  readonly signIn: Readonly<Record<'title' | 'explanation' | 'asUser' | 'asOperator', string>>
}

/**
 * Draws the sign-in without the app, which takes seconds to load on a slow network and then draws over it. `console-page.ts` has the
 * styles.
 */
export const drawEarlySignIn = (base: ConsoleBase, { signIn }: SignInTexts, current: Language): void => {
  const place = document.getElementById('first')
  if (!place) return
  const part = (name: string, ...content: readonly (string | Node)[]): HTMLElement => {
    const element = document.createElement(name)
    element.append(...content)
    return element
  }
  const button = (text: string, className: string, onClick: () => void): HTMLElement => {
    const element = part('button', text)
    element.className = className
    element.addEventListener('click', onClick)
    return element
  }
  const begin = (scopes: readonly string[]) => void beginSignIn(base, { scopes, returnTo: pathBelow(base) })
  const choose = (language: Language) => {
    storeLanguage(language)
    location.reload()
  }
  const others = Object.entries(languages).flatMap(([code, name]) => {
    if (code === current) return []
    const link = button(name, 'link', () => choose(code as Language))
    link.lang = code
    return [link]
  })
  const section = part(
    'section',
    part('h1', signIn.title.replace('{{oracle}}', metaOf('oracle-name'))),
    part('p', signIn.explanation),
    part(
      'div',
      button(signIn.asUser, 'filled', () => begin(requestedScopes.user)),
      button(signIn.asOperator, '', () => begin(requestedScopes.operator)),
    ),
    part('div', ...others),
  )
  place.className = 'sign-in'
  place.replaceChildren(part('main', section))
}
