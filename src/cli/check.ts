/** What doctor found about one part of the installation. */
export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly found: string;
}
