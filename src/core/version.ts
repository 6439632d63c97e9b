/** Version of the service and of its API documents; kept equal to package.json by a test. */
export const VERSION = '0.1.0';
