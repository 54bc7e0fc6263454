import { Alert, PasswordInput, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { customerActions, waitingAction } from '@sibyl/plugin-ussd/records'
import type { JsonObject } from '@sibyl/protocol'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { type ApiClient, createApiClient } from '../api/api-client.ts'
import { DataTable } from '../components/data-table.tsx'
import { Page } from '../components/page.tsx'
import { QueryStates } from '../components/query-states.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { SchemaForm } from '../components/schema-form.tsx'
import { Section } from '../components/section.tsx'
import { useAccess, useConsole } from '../session/console-context.tsx'
import { PhoneTabs } from './parts/phone-tabs.tsx'
import { UssdOff } from './parts/ussd-off.tsx'

const base = 'api/ussd/customers'

/** Customers of the USSD menu: a reset of a PIN, an unlock or an erasure in two steps, and what operators did. */
export const CustomersView = () => {
  const { t } = useTranslation('phone')
  const hasUssd = useAccess().mayHave('ussd')
  // Stays in memory: it opens every account.
  const [token, setToken] = useState('')
  const [given] = useDebouncedValue(token.trim(), 500)
  return (
    <Page title={t('customers.title')} description={t('customers.description')} views={<PhoneTabs />}>
      {hasUssd ? (
        <>
          <PasswordInput
            label={t('customers.token')}
            description={t('customers.tokenHint')}
            autoComplete="off"
            maw="28rem"
            value={token}
            onChange={event => setToken(event.currentTarget.value)}
          />
          {given !== '' && (
            <>
              <ActionSection token={given} />
              <DoneSection token={given} />
            </>
          )}
        </>
      ) : (
        <UssdOff />
      )}
    </Page>
  )
}

/** Returns a client with the token of the USSD operator. */
const useOperatorApi = (token: string): ApiClient => {
  const { oracle } = useConsole().base
  return useMemo(
    () => createApiClient(oracle, { accessToken: rejected => Promise.resolve(rejected ? undefined : token) }),
    [oracle, token],
  )
}

const paths = { reset: 'resets', unlock: 'unlocks', erase: 'erasures' } as const
type Kind = keyof typeof paths

const confirmed = z.object({ pin: z.string().optional() })

interface Asked {
  readonly kind: Kind
  readonly action: z.infer<typeof waitingAction>
}

const ActionSection = ({ token }: { readonly token: string }) => {
  const { t } = useTranslation('phone')
  const api = useOperatorApi(token)
  const queries = useQueryClient()
  const [asked, setAsked] = useState<Asked>()
  const [result, setResult] = useState<string>()
  const schema = useMemo(() => {
    const text = (title: string, more: JsonObject = {}) => ({ type: 'string', title, ...more })
    return {
      type: 'object',
      required: ['kind', 'operator', 'reason'],
      properties: {
        kind: text(t('customers.action'), {
          enum: Object.keys(paths),
          titles: Object.fromEntries(Object.keys(paths).map(kind => [kind, t(`customers.kinds.${kind as Kind}`)])),
        }),
        phoneNumber: text(t('customers.phone'), { description: '+260971234567' }),
        customerId: text(t('customers.id')),
        operator: text(t('customers.operator')),
        reason: text(t('customers.reason')),
      },
    }
  }, [t])
  const edited = () => {
    setAsked(undefined)
    setResult(undefined)
  }
  const submit = async ({ kind: given, ...body }: JsonObject) => {
    const kind = given as Kind
    if (!asked) {
      setAsked({ kind, action: await api.post(`${base}/${paths[kind]}`, { schema: waitingAction, body }) })
      return false
    }
    const { confirmation, id } = asked.action
    const done = await api.post(`${base}/${paths[kind]}/${id}/confirm`, {
      schema: confirmed,
      body: { confirmation, operator: body.operator },
    })
    setAsked(undefined)
    setResult(done.pin === undefined ? t('customers.done') : t('customers.pin', { pin: done.pin }))
    await queries.invalidateQueries({ queryKey: [base] })
    return true
  }
  return (
    <Section title={t('customers.change')}>
      <SchemaForm
        schema={schema}
        draft="ussd customer"
        submitLabel={t(asked ? 'customers.confirm' : 'customers.ask')}
        {...(asked?.kind === 'erase' ? { color: 'red' } : {})}
        onEdit={edited}
        onSubmit={submit}
      >
        {(asked || result !== undefined) && (
          <Alert variant="light" role="status">
            {asked ? t('customers.about', { count: asked.action.customers }) : result}
          </Alert>
        )}
      </SchemaForm>
    </Section>
  )
}

const DoneSection = ({ token }: { readonly token: string }) => {
  const { t } = useTranslation('phone')
  const api = useOperatorApi(token)
  const list = useQuery({
    queryKey: [base, token],
    queryFn: ({ signal }) => api.get(`${base}/actions`, { schema: customerActions, signal }),
    gcTime: 0,
  })
  return (
    <Section title={t('customers.log')}>
      <QueryStates query={list}>
        {({ actions }) => (
          <DataTable
            label={t('customers.title')}
            rows={actions}
            rowKey={({ id }) => id}
            rowHeight={56}
            maxHeight="24rem"
            columns={[
              {
                key: 'kind',
                header: t('customers.action'),
                cell: ({ kind, state }) => `${t(`customers.kinds.${kind}`)}, ${t(`customers.states.${state}`)}`,
              },
              {
                key: 'who',
                header: t('customers.phone'),
                width: '9rem',
                cell: ({ phoneNumber, customerId }) => phoneNumber ?? customerId ?? '–',
              },
              {
                key: 'operator',
                header: t('customers.operator'),
                width: '9rem',
                wideOnly: true,
                cell: ({ operator }) => operator,
              },
              {
                key: 'reason',
                header: t('customers.reason'),
                wideOnly: true,
                cell: ({ reason }) => (
                  <Text size="sm" lineClamp={2}>
                    {reason}
                  </Text>
                ),
              },
              {
                key: 'at',
                header: t('customers.at'),
                width: '7rem',
                wideOnly: true,
                cell: ({ requestedAt }) => <RelativeTime value={requestedAt} />,
              },
            ]}
          />
        )}
      </QueryStates>
    </Section>
  )
}
