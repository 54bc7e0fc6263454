import { Anchor, Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { Note } from '../components/note.tsx'
import { useForDevelopers, useStored } from '../components/use-stored.ts'
import { useAccess, useConsole } from '../session/console-context.tsx'

/** Suggestions of what to try first, until the user hides them. */
export const HomeSteps = () => {
  const { t } = useTranslation('home')
  const { base } = useConsole()
  const { did, may, has } = useAccess()
  const [isForDevelopers] = useForDevelopers()
  const [isHidden, setHidden] = useStored(`sibyl-console-started ${did}`)
  if (isHidden) return null
  const steps = [
    { key: 'chat', isShown: may('chat/send'), to: '/chat', command: 'npx sibyl chat' },
    { key: 'phone', isShown: has('ussd'), to: '/phone', command: 'npx sibyl ussd' },
    {
      key: 'twins',
      isShown: has('entities'),
      to: '/twins',
      command: 'npx sibyl chat --once "Register a CookStove called Stove A-17" --approve once',
    },
    { key: 'plugin', isShown: isForDevelopers, to: undefined, command: 'npx sibyl plugin new tides' },
    {
      key: 'connect',
      isShown: isForDevelopers,
      to: undefined,
      command: `npx sibyl mcp --url ${base.oracle.href.replace(/\/$/, '')}`,
    },
  ] as const
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={2}>{t('first')}</Title>
        <Button size="compact-xs" variant="subtle" onClick={() => setHidden(true)}>
          {t('hide')}
        </Button>
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="sm">
        {steps
          .filter(({ isShown }) => isShown)
          .map(({ key, to, command }) => (
            <Paper key={key} withBorder p="sm">
              <Stack gap={6} h="100%" justify="space-between">
                <div>
                  {to === undefined ? (
                    <Text fw={600}>{t(`steps.${key}`)}</Text>
                  ) : (
                    <Anchor fw={600} renderRoot={props => <Link to={to} {...props} />}>
                      {t(`steps.${key}`)}
                    </Anchor>
                  )}
                  <Note>{t(`steps.${key}Text`)}</Note>
                </div>
                <CommandHint title={t('steps.command')} commands={[command]} />
              </Stack>
            </Paper>
          ))}
      </SimpleGrid>
    </section>
  )
}
