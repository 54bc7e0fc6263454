import { Alert, Button, Center, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { createApiClient } from '../api/api-client.ts'
import { messageOf, Problem } from '../api/problem.ts'
import { Note } from '../components/note.tsx'
import type { KeySession } from './key-session.ts'

/** Asks for an API key, and opens the explorer with it once the oracle accepted it. */
export const KeyForm = ({ oracle, session }: { readonly oracle: URL; readonly session: KeySession }) => {
  const { t } = useTranslation('explorer')
  const input = useRef<HTMLInputElement>(null)
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (key: string) => {
      const api = createApiClient(oracle, { accessToken: rejected => Promise.resolve(rejected ? undefined : key) })
      await api.get('v1/entities', { query: { limit: 1 } })
      session.open(key)
    },
    onError: () => input.current?.select(),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate(input.current?.value.trim() ?? '')
  }
  const failure = error
    ? error instanceof Problem && error.status === 401
      ? t('unknown')
      : messageOf(error)
    : session.isRejected && t('ended')
  return (
    <Center mih="100dvh" p="md" component="main">
      <Paper withBorder p="xl" maw={480} w="100%">
        <Stack>
          <Title order={1}>{t('open')}</Title>
          <Text>{t('description')}</Text>
          <form onSubmit={submit}>
            <Group align="flex-end">
              <TextInput
                ref={input}
                type="password"
                label={t('key')}
                flex="1 1 12rem"
                required
                withAsterisk={false}
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                maxLength={4000}
              />
              <Button type="submit" loading={isPending}>
                {t('submit')}
              </Button>
            </Group>
          </form>
          {failure && (
            <Alert color="red" role="alert">
              {failure}
            </Alert>
          )}
          <Note>{t('hint')}</Note>
        </Stack>
      </Paper>
    </Center>
  )
}
