import { preferencesRecord } from '@sibyl/plugin-user-preferences/records'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { mergePatchFrom } from '../api/merge-patch.ts'
import { CommandHint } from '../components/command-hint.tsx'
import { QueryStates } from '../components/query-states.tsx'
import { SchemaForm } from '../components/schema-form.tsx'
import { Section } from '../components/section.tsx'
import { useNotify } from '../components/use-notify.ts'
import { useAccess, useApi } from '../session/console-context.tsx'

const path = '/me/preferences'

type PreferencesRecord = z.infer<typeof preferencesRecord>

const names = ['name', 'language', 'timeZone', 'tone'] as const

/** The preferences of the user, as a form. */
export const PreferencesSection = () => {
  const { t } = useTranslation('users')
  const api = useApi()
  const preferences = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => api.get(path, { schema: preferencesRecord, signal }),
  })
  return (
    <Section title={t('preferences.title')} description={t('preferences.description')}>
      <QueryStates query={preferences}>{stored => <PreferencesForm stored={stored} />}</QueryStates>
      <CommandHint commands={[`PATCH ${path} {"language":"sw"}`]} />
    </Section>
  )
}

const PreferencesForm = ({ stored }: { readonly stored: PreferencesRecord }) => {
  const { t } = useTranslation('users')
  const { t: common } = useTranslation()
  const notify = useNotify()
  const api = useApi()
  const queries = useQueryClient()
  const { may } = useAccess()
  const schema = useMemo(() => {
    const text = (name: (typeof names)[number]) => [name, { type: 'string', title: t(`preferences.${name}`) }]
    const units = {
      type: 'string',
      title: t('preferences.units'),
      enum: ['metric', 'imperial'],
      titles: { metric: t('preferences.metric'), imperial: t('preferences.imperial') },
    }
    return { type: 'object', properties: { ...Object.fromEntries(names.map(text)), units } }
  }, [t])
  const initial = Object.fromEntries(
    Object.entries(stored).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  return (
    <SchemaForm
      key={JSON.stringify(stored)}
      schema={schema}
      draft="preferences"
      initial={initial}
      submitLabel={common('action.save')}
      isReady={may('user-preferences/write')}
      onSubmit={async values => {
        const body = mergePatchFrom(initial, values)
        queries.setQueryData([path], await api.patch(path, { schema: preferencesRecord, body }))
        notify.done(t('preferences.saved'))
      }}
    />
  )
}
