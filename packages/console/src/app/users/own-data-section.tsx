import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { ConfirmButton } from '../components/confirm-button.tsx'
import { Failure } from '../components/failure.tsx'
import { Note } from '../components/note.tsx'
import { saveFile } from '../components/save-file.ts'
import { Section } from '../components/section.tsx'
import { useAccess, useApi, useConsole } from '../session/console-context.tsx'

/** Export and erasure of everything that the oracle stores about the user. */
export const OwnDataSection = () => {
  const { t } = useTranslation('users')
  const { may } = useAccess()
  const { session } = useConsole()
  const api = useApi()
  const download = useMutation({
    mutationFn: async () => saveFile(await (await api.send('GET', '/me/export')).blob(), 'my-data.json'),
  })
  return (
    <Section title={t('own.title')} description={t('own.description')}>
      <Group gap="xs">
        {may('me/export') && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Download size={14} aria-hidden />}
            loading={download.isPending}
            onClick={() => download.mutate()}
          >
            {t('own.export')}
          </Button>
        )}
        {may('me/erase') && (
          <ConfirmButton
            label={t('own.erase')}
            title={t('own.eraseTitle')}
            typed={t('own.eraseTyped')}
            color="red"
            variant="light"
            onConfirm={async () => {
              await api.delete('/me')
              await session.end()
            }}
          >
            <Text size="sm">{t('own.eraseEffect')}</Text>
            <Text size="sm">{t('typeToConfirm')}</Text>
          </ConfirmButton>
        )}
      </Group>
      {!may('me/export') && <Note>{t('own.noRight')}</Note>}
      <Failure error={download.error} />
      <CommandHint commands={['GET /me/export', 'DELETE /me']} />
    </Section>
  )
}
