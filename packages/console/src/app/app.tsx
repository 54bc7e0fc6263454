import { createApiClient } from './api/api-client.ts'
import { consoleBase } from './api/console-base.ts'
import { metaOf } from './i18n/as-called.ts'
import { createQueries, mountApp } from './mount-app.tsx'
import { type ConsoleContext, ConsoleContextProvider, ViewContextProvider } from './session/console-context.tsx'
import { dropOneTimeCode, oneTimeCode } from './session/oauth.ts'
import { createSession } from './session/session.ts'
import { SignedIn } from './shell/signed-in.tsx'

/** Draws the console: the sign-in, or the views of a user who signed in. @param script URL of a script of the app */
export const startApp = async (script: string): Promise<void> => {
  const base = consoleBase(script)
  const session = createSession(base)
  const oracleName = metaOf('oracle-name')
  const context: ConsoleContext = {
    base,
    api: createApiClient(base.oracle, session),
    session,
    oracleName,
    siteName: oracleName,
    build: metaOf('console-build'),
  }
  const queries = createQueries()
  session.subscribe(() => {
    if (!session.isSignedIn) queries.clear()
  })

  // The browser is signed in already: the code is not needed, and must not stay in the history.
  if (session.isSignedIn && oneTimeCode() !== undefined) dropOneTimeCode()

  /** Loads the views only after sign-in, so that the sign-in page appears sooner. */
  const loadViews = async () => (await import('./views.tsx')).createViews(new URL(base.console).pathname)

  const app = (
    <ViewContextProvider value={context}>
      <ConsoleContextProvider value={context}>
        <SignedIn load={loadViews} />
      </ConsoleContextProvider>
    </ViewContextProvider>
  )
  await mountApp(
    app,
    queries,
    import.meta.glob<object>('./{chat,home,operations,phone,twins,users}/messages/*.json', { import: 'default' }),
  )
}
