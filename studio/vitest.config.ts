import { defineConfig } from "vitest/config";

// Apart from vite.config.ts, so that the page stays as it is when its tests change.
export default defineConfig({ test: { environment: "happy-dom", include: ["tests/**/*.test.ts"] } });
