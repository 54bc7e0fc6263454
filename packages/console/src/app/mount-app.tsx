import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import './style.css'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import { Problem } from './api/problem.ts'
import { metaOf } from './i18n/as-called.ts'
import { type MessageFiles, startI18n } from './i18n/start-i18n.ts'
import { cssVariables, theme } from './theme.ts'

/** Creates the cache of what an app reads. */
export const createQueries = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      // The oracle may be on this machine, which has no network.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        staleTime: 10_000,
        // Rejected requests stay rejected; an oracle that restarts is back soon.
        retry: (count, error) =>
          error instanceof Problem && error.status > 0 && error.status < 500 ? false : count < 5,
      },
    },
  })

/** Draws an app on the page, with the design and the language of the user. */
export const mountApp = async (app: ReactNode, queries: QueryClient, messages: MessageFiles): Promise<void> => {
  const i18n = await startI18n(messages)
  document.documentElement.lang = i18n.language
  const place = document.getElementById('app')
  if (!place) throw new Error('The page has no place for the app.')
  const whole = (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      colorSchemeManager={localStorageColorSchemeManager({ key: 'sibyl-console-colors' })}
      getStyleNonce={() => metaOf('style-nonce')}
    >
      <I18nextProvider i18n={i18n}>
        <QueryClientProvider client={queries}>{app}</QueryClientProvider>
      </I18nextProvider>
    </MantineProvider>
  )
  // Rendered in slices, between which the browser handles input.
  startTransition(() => createRoot(place).render(whole))
}
