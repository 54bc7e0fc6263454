import { Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './flow-graph.module.css'

/** The levels of the heat, as shares of the times that a screen was shown. */
export const HeatLegend = () => {
  const { t } = useTranslation('phone')
  const levels = [t('heat.none'), '< 5 %', '5–15 %', '15–30 %', '≥ 30 %']
  return (
    <Group component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t('heat.label')}>
      {levels.map((level, heat) => (
        <Group key={level} component="li" gap={6}>
          <span className={classes.legend} data-heat={heat} aria-hidden />
          <Text size="xs" c="dimmed">
            {level}
          </Text>
        </Group>
      ))}
    </Group>
  )
}
