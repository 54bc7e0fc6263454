import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import './style.css'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import { createApiClient } from './api/api-client.ts'
import { consoleBase } from './api/console-base.ts'
import { Problem } from './api/problem.ts'
import { startI18n } from './i18n/start-i18n.ts'
import { ConsoleContextProvider } from './session/console-context.tsx'
import { dropOneTimeCode, oneTimeCode } from './session/oauth.ts'
import { createSession } from './session/session.ts'
import { SignedIn } from './shell/signed-in.tsx'
import { cssVariables, theme } from './theme.ts'

const metaOf = (name: string): string => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''

const base = consoleBase(import.meta.url)
const session = createSession(base)
const api = createApiClient(base.oracle, session)
const queries = new QueryClient({
  defaultOptions: {
    // The oracle may be on this machine, which has no network.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 10_000,
      // Rejected requests stay rejected; an oracle that restarts is back soon.
      retry: (count, error) => (error instanceof Problem && error.status > 0 && error.status < 500 ? false : count < 5),
    },
  },
})
session.subscribe(() => {
  if (!session.isSignedIn) queries.clear()
})

// The browser is signed in already: the code is not needed, and must not stay in the history.
if (session.isSignedIn && oneTimeCode() !== undefined) dropOneTimeCode()

/** Loads the views only after sign-in, so that the sign-in page appears sooner. */
const loadViews = async () => (await import('./views.tsx')).createViews(new URL(base.console).pathname)

const i18n = await startI18n()
document.documentElement.lang = i18n.language
const place = document.getElementById('app')
if (!place) throw new Error('The page has no place for the console.')
const app = (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariables}
    defaultColorScheme="auto"
    colorSchemeManager={localStorageColorSchemeManager({ key: 'sibyl-console-colors' })}
    getStyleNonce={() => metaOf('style-nonce')}
  >
    <I18nextProvider i18n={i18n}>
      <QueryClientProvider client={queries}>
        <ConsoleContextProvider
          value={{ base, api, session, oracleName: metaOf('oracle-name'), build: metaOf('console-build') }}
        >
          <SignedIn load={loadViews} />
        </ConsoleContextProvider>
      </QueryClientProvider>
    </I18nextProvider>
  </MantineProvider>
)
// Rendered in slices, between which the browser handles input.
startTransition(() => createRoot(place).render(app))
