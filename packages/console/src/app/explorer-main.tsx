import { createApiClient } from './api/api-client.ts'
import { Explorer } from './explorer/explorer.tsx'
import { createKeySession } from './explorer/key-session.ts'
import { allowOnlyStyles } from './explorer/only-styles.ts'
import { metaOf } from './i18n/as-called.ts'
import { createQueries, mountApp } from './mount-app.tsx'
import { ViewContextProvider } from './session/console-context.tsx'

allowOnlyStyles()
// The page is at `/explorer`, below any path of a proxy.
const oracle = new URL('.', location.href)
const session = createKeySession()
const queries = createQueries()
session.subscribe(() => {
  if (!session.isOpen) queries.clear()
})
const context = {
  api: createApiClient(oracle, session),
  oracleName: metaOf('oracle-name'),
  siteName: document.title,
}
const app = (
  <ViewContextProvider value={context}>
    <Explorer oracle={oracle} session={session} />
  </ViewContextProvider>
)
await mountApp(app, queries, import.meta.glob<object>('./{explorer,twins}/messages/*.json', { import: 'default' }))
