import { type OperatorAccess, operatorAccess } from '@sibyl/core/records'
import { type Route, route } from '@sibyl/plugin'

/** `GET /operator/access`: the settings that give rights of the operator. */
export const operatorAccessRoute = (access: () => OperatorAccess): Route =>
  route.get(
    '/operator/access',
    {
      auth: 'operator',
      tags: ['Operator'],
      summary: 'List the settings that give access, without secrets',
      description:
        'Further rights come from delegations of the controllers, and from API keys, sign-ins and one-time codes of the operator: ' +
        '`GET /api-keys?as=operator` and `GET /oauth/sign-ins?as=operator` list those, also with `rights=operator`.',
      ok: { 200: { description: 'The settings', schema: operatorAccess } },
    },
    c => c.json(access(), 200),
  )
