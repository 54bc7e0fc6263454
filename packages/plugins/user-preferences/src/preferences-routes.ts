import { type Route, route } from '@sibyl/plugin'
import { preferencesPatch, preferencesRecord } from './preferences/preference-fields.ts'
import type { PreferencesStore } from './preferences-store.ts'

const path = '/me/preferences'

/** Creates the routes by which users read and change their own preferences. */
export const preferencesRoutes = (store: Pick<PreferencesStore, 'get' | 'change'>): Route[] => [
  route.get(
    path,
    {
      auth: { ucan: 'user-preferences/read' },
      summary: 'Get your preferences',
      ok: { 200: { description: 'Your preferences', schema: preferencesRecord } },
    },
    async c => c.json(await store.get(c.get('actor').did), 200),
  ),
  route.patch(
    path,
    {
      auth: { ucan: 'user-preferences/write' },
      summary: 'Change your preferences',
      description:
        'A JSON Merge Patch (RFC 7396), as `application/merge-patch+json` or `application/json`: members that are present are set, null ' +
        'removes one, other preferences stay.',
      body: { content: { 'application/json': { schema: preferencesPatch } }, required: true },
      ok: { 200: { description: 'Your preferences after the change', schema: preferencesRecord } },
    },
    async c => c.json(await store.change(c.get('actor').did, c.req.valid('json')), 200),
  ),
]
