import { type Route, route } from '@sibyl/plugin'
import { preferencesPatch, preferencesRecord } from './preferences/preference-fields.ts'
import type { PreferencesStore } from './preferences-store.ts'

const path = '/me/preferences'

/** What a person sees and changes of what they prefer: the caller's own alone. */
export const preferencesRoutes = (store: Pick<PreferencesStore, 'get' | 'change'>): Route[] => [
  route.get(
    path,
    {
      auth: { ucan: 'user-preferences/read' },
      summary: 'What you prefer',
      ok: { 200: { description: 'What you prefer', schema: preferencesRecord } },
    },
    async c => c.json(await store.get(c.get('actor').did), 200),
  ),
  route.patch(
    path,
    {
      auth: { ucan: 'user-preferences/write' },
      summary: 'Change what you prefer',
      description:
        'A JSON Merge Patch (RFC 7396), as `application/merge-patch+json` or `application/json`: what is named is set, null ' +
        'drops, the rest stays.',
      body: { content: { 'application/json': { schema: preferencesPatch } }, required: true },
      ok: { 200: { description: 'What you prefer from now on', schema: preferencesRecord } },
    },
    async c => c.json(await store.change(c.get('actor').did, c.req.valid('json')), 200),
  ),
]
