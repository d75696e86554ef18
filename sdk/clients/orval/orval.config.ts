export default {
  climate: {
    input: "openapi.yaml",
    output: {
      target: "client.ts",
      client: "fetch",
      override: { mutator: { path: "./request.ts", name: "request" } },
    },
  },
};
