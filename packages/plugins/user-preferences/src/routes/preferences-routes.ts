import { defineRoute, type Route, routeAnswers } from '@sibyl/plugin'
import { preferencesPatch, preferencesRecord } from '../preferences/preference-fields.ts'
import type { PreferencesStore } from '../storage/preferences-store.ts'

const path = '/me/preferences'
const tags = ['Preferences']
const refused = { 401: routeAnswers.problem('Not authenticated'), 403: routeAnswers.problem('Not allowed') }

/** What a person sees and changes of what they prefer: the caller's own alone. */
export const preferencesRoutes = (store: Pick<PreferencesStore, 'get' | 'change'>): Route[] => [
  defineRoute(
    { ucan: 'user-preferences/read' },
    {
      method: 'get',
      path,
      tags,
      summary: 'What you prefer',
      responses: { 200: routeAnswers.json('What you prefer', preferencesRecord), ...refused },
    },
    async c => c.json(await store.get(c.get('actor')!.did), 200),
  ),
  defineRoute(
    { ucan: 'user-preferences/write' },
    {
      method: 'patch',
      path,
      tags,
      summary: 'Change what you prefer',
      description:
        'A JSON Merge Patch (RFC 7396), as `application/merge-patch+json` or `application/json`: what is named is set, null ' +
        'drops, the rest stays.',
      request: { body: { content: { 'application/json': { schema: preferencesPatch } }, required: true } },
      responses: {
        200: routeAnswers.json('What you prefer from now on', preferencesRecord),
        400: routeAnswers.problem('`input_invalid`'),
        ...refused,
      },
    },
    async c => c.json(await store.change(c.get('actor')!.did, c.req.valid('json')), 200),
  ),
]
