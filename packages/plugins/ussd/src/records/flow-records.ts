import * as z from 'zod'

const texts = z
  .record(z.string(), z.string())
  .meta({ description: 'By language code', example: { en: 'Welcome', sw: 'Karibu' } })

const gatewayRecord = z
  .object({
    onlyTrusted: z.boolean().meta({ description: 'Whether only trusted gateways may call: `USSD_GATEWAY_ONLY`' }),
    textMode: z.enum(['cumulative', 'last', 'auto']).meta({ description: '`USSD_TEXT_MODE`' }),
    serviceCodes: z.array(z.string()).meta({ description: '`USSD_SERVICE_CODES`', example: ['*1234#'] }),
    sessionSeconds: z.int().meta({ description: '`USSD_SESSION_TTL_SECONDS`' }),
    replySeconds: z.int().meta({ description: '`USSD_REPLY_TIMEOUT_SECONDS`' }),
    providers: z
      .array(z.object({ name: z.string(), title: z.string() }))
      .meta({ description: 'The telecom gateways with routes at `/api/ussd/<name>`' }),
  })
  .meta({ description: 'What a simulated phone needs' })

/** The menus, and what a phone needs. */
export const flowRecord = z.object({
  start: z.string().meta({ description: 'The first screen', example: 'preMenu' }),
  languages: z.array(z.object({ code: z.string(), name: z.string() })).meta({ description: 'The default first' }),
  keys: z
    .object({ back: z.string(), more: z.string(), previous: z.string() })
    .meta({ description: 'Keys of every screen', example: { back: '0', more: '98', previous: '99' } }),
  gateway: gatewayRecord,
  nodes: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(['menu', 'input', 'message', 'confirm', 'secret', 'choice', 'action']),
      text: texts.optional().meta({ description: 'Absent for an action, and if the flow computes it' }),
      back: z
        .union([z.enum(['previous', 'none']), z.object({ screen: z.string() })])
        .meta({ description: 'Where `0` leads' }),
      ends: z.boolean().meta({ description: 'Whether the session ends with it' }),
    }),
  ),
  edges: z
    .array(
      z.object({
        from: z.string(),
        to: z.string().meta({ description: 'A screen, or `exit` for the closing text' }),
        kind: z.enum(['option', 'answer', 'yes', 'no', 'result', 'failure']),
        key: z.string().optional().meta({ description: 'The number that the user types' }),
        label: texts.optional(),
      }),
    )
    .meta({ description: 'Ways from screen to screen, without `*`, which ends the session at every screen' }),
})

const count = (description: string) => z.int().meta({ description })

const counted = {
  entered: count('How often the screen was shown after another one, or first in a session'),
  continued: count('How often the user moved on to another screen'),
  endedByFlow: count('Sessions that the flow ended here'),
  endedByUser: count(
    'Sessions that the user ended here with `*`, by a new call, or by hanging up if the provider reports it',
  ),
  timedOut: count('Sessions without a further answer'),
  errors: count('Failed actions and requests; the session may have continued'),
}

const day = z.iso.date()

/** Counts of each screen and day. */
export const countsRecord = z.object({
  from: day,
  to: day,
  screens: z
    .array(z.object({ screen: z.string(), ...counted }))
    .meta({ description: 'Sums of the days, for screens with any; also for screens that the flow no longer has' }),
  days: z.array(z.object({ day, ...counted })).meta({ description: 'Sums of the screens, for days with any' }),
})

export type FlowRecord = z.infer<typeof flowRecord>
export type CountsRecord = z.infer<typeof countsRecord>
