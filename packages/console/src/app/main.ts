import './api/zod-without-eval.ts'
import { consoleBase, pathBelow } from './api/console-base.ts'
import { currentLanguage } from './i18n/languages.ts'
import { isReturn, oneTimeCode } from './session/oauth.ts'
import { readTokens } from './session/stored-tokens.ts'
import { drawEarlySignIn, type SignInTexts } from './shell/early-sign-in.ts'

const base = consoleBase(import.meta.url)
const language = currentLanguage()

/** Views that a user opens first, with their messages, by the part of the address below `/console`. */
const firstViews: Readonly<Record<string, () => Promise<unknown>>> = {
  '': () => Promise.all([import('./home/home-view.tsx'), messagesOf('home')]),
  chat: () => Promise.all([import('./chat/chat-view.tsx'), messagesOf('chat')]),
}

const files = import.meta.glob<object>('./{chat,home}/messages/*.json', { import: 'default' })
const ofFrame = import.meta.glob<SignInTexts>('./i18n/messages/*.json', { import: 'default' })

const messagesOf = (feature: string): Promise<unknown> | undefined =>
  files[`./${feature}/messages/${language}.json`]?.()

/** Loads what the user sees first, beside the app that shows it. What fails here is loaded again by the app, which reports it. */
const loadAhead = async (): Promise<void> => {
  const [, part = ''] = pathBelow(base).split(/[/?#]/)
  const texts = ofFrame[`./i18n/messages/${language}.json`]?.()
  if (readTokens() !== undefined) await Promise.all([import('./views.tsx'), firstViews[part]?.()])
  else if (isSecureContext && oneTimeCode() === undefined && !isReturn(new URLSearchParams(location.search)) && texts) {
    drawEarlySignIn(base, await texts, language)
  }
}

void loadAhead().catch(() => {})
// Without await: the scripts of the app import this one.
void import('./app.tsx').then(({ startApp }) => startApp(import.meta.url))
