{{- define "climate.labels" -}}
app.kubernetes.io/name: climate-nextgen
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "climate.name" -}}
{{ printf "%s-climate-nextgen" .Release.Name | trunc 63 | trimSuffix "-" }}
{{- end }}
