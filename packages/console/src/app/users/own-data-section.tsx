import { Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { ConfirmButton } from '../components/confirm-button.tsx'
import { Note } from '../components/note.tsx'
import { Section } from '../components/section.tsx'
import { useAccess, useApi, useConsole } from '../session/console-context.tsx'
import { ExportButton } from './export-button.tsx'

/** Export and erasure of everything that the oracle stores about the user. */
export const OwnDataSection = () => {
  const { t } = useTranslation('users')
  const { may } = useAccess()
  const { session } = useConsole()
  const api = useApi()
  return (
    <Section title={t('own.title')} description={t('own.description')}>
      <Group gap="xs">
        {may('me/export') && <ExportButton path="/me/export" file="my-data.json" />}
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
      <CommandHint commands={['GET /me/export', 'DELETE /me']} />
    </Section>
  )
}
