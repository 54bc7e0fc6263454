import { Button, Group, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { preferencesRecord } from '@sibyl/plugin-user-preferences/records'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionForm } from '../components/action-form.tsx'
import { CommandHint } from '../components/command-hint.tsx'
import { QueryStates } from '../components/query-states.tsx'
import { Section } from '../components/section.tsx'
import { useNotify } from '../components/use-notify.ts'
import { useAccess, useApi } from '../session/console-context.tsx'

const path = '/me/preferences'

type Name = 'name' | 'language' | 'timeZone' | 'tone'
type Changes = Readonly<Partial<Record<Name | 'units', string | undefined>>>

const texts = [
  { name: 'name', maxLength: 60 },
  { name: 'language', maxLength: 35 },
  { name: 'timeZone', maxLength: 60 },
  { name: 'tone', maxLength: 100 },
] as const

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

const PreferencesForm = ({ stored }: { readonly stored: Changes }) => {
  const { t } = useTranslation('users')
  const notify = useNotify()
  const { t: common } = useTranslation()
  const api = useApi()
  const queries = useQueryClient()
  const { may } = useAccess()
  const [changed, setChanged] = useState<Changes>({})
  const value = (name: Name | 'units') => changed[name] ?? stored[name] ?? ''
  const set = (name: Name | 'units') => (text: string) => setChanged({ ...changed, [name]: text })
  const save = useMutation({
    mutationFn: () => {
      const patch = Object.entries(changed).map(([name, text]) => [name, text === '' ? null : text])
      return api.patch(path, { schema: preferencesRecord, body: Object.fromEntries(patch) })
    },
    onSuccess: preferences => {
      queries.setQueryData([path], preferences)
      setChanged({})
      notify.done(t('preferences.saved'))
    },
  })
  const isChanged = Object.entries(changed).some(([name, text]) => text !== (stored[name as Name] ?? ''))
  return (
    <ActionForm action={save}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          {texts.map(({ name, maxLength }) => (
            <TextInput
              key={name}
              label={t(`preferences.${name}`)}
              placeholder={t('preferences.unset')}
              value={value(name)}
              onChange={event => set(name)(event.currentTarget.value)}
              maxLength={maxLength}
              disabled={!may('user-preferences/write')}
            />
          ))}
          <Select
            label={t('preferences.units')}
            placeholder={t('preferences.unset')}
            data={[
              { value: 'metric', label: t('preferences.metric') },
              { value: 'imperial', label: t('preferences.imperial') },
            ]}
            value={value('units') === '' ? null : value('units')}
            onChange={text => set('units')(text ?? '')}
            clearable
            clearButtonProps={{ 'aria-label': common('action.clear') }}
            disabled={!may('user-preferences/write')}
          />
        </SimpleGrid>
        <Group>
          <Button type="submit" size="xs" disabled={!isChanged} loading={save.isPending}>
            {common('action.save')}
          </Button>
        </Group>
      </Stack>
    </ActionForm>
  )
}
