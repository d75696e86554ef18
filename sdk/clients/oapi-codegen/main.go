package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"

	climate "sdk/client"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// What came with a 2xx, or what came instead.
func came[T any](value *T, body []byte) T {
	if value == nil {
		panic(string(body))
	}
	return *value
}

func main() {
	server := os.Getenv("SDK_SERVER")
	api := must(climate.NewClientWithResponses(server))
	ctx := context.Background()
	experiments, variables := []string{"historical"}, []string{"tas", "pr"}

	overview := must(api.GetOverviewWithResponse(ctx))
	files := must(api.SearchDataWithResponse(ctx, "cmip6", climate.File,
		&climate.SearchDataParams{ExperimentId: &experiments, VariableId: &variables}))
	counts := must(api.SearchMetadataWithResponse(ctx, "cmip6", climate.File,
		&climate.SearchMetadataParams{ExperimentId: &experiments, VariableId: &variables}))
	archive := must(api.CreateStacCatalogueWithResponse(ctx, "cmip6", climate.File,
		&climate.CreateStacCatalogueParams{ExperimentId: &experiments, VariableId: &variables}))
	must(0, os.WriteFile("stac.zip", archive.Body, 0o644))

	name, password := os.Getenv("SDK_USERNAME"), os.Getenv("SDK_PASSWORD")
	signIn := must(api.IssueTokenWithFormdataBodyWithResponse(ctx,
		climate.TokenRequest{Username: &name, Password: &password}))
	first := came(signIn.JSON200, signIn.Body)
	refresh := must(api.IssueTokenWithFormdataBodyWithResponse(ctx,
		climate.TokenRequest{RefreshToken: &first.RefreshToken}))
	token := came(refresh.JSON200, refresh.Body)
	signedIn := must(climate.NewClientWithResponses(server, climate.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+token.AccessToken)
			return nil
		})))
	status := must(signedIn.TokenStatusWithResponse(ctx))

	project, model := []string{os.Getenv("SDK_PROJECT")}, []string{"my-model"}
	kept, gone := os.Getenv("SDK_FILES")+"/kept.nc", os.Getenv("SDK_FILES")+"/deleted.nc"
	bbox := "-10,30,35,70"
	extra := map[string]interface{}{
		"additional_info": `bias adjusted: "äöü"`,
		"modle":           "no misspelling here",
		"run": map[string]interface{}{
			"seed": 7, "ratio": 0.25, "tags": []string{"a", "b"}, "final": true,
		},
	}
	entry := func(file string) climate.UserMetadataEntry {
		return climate.UserMetadataEntry{
			File: file, Variable: variables, Time: "1985 to 1989", TimeFrequency: "mon",
			Bbox: &bbox, Project: &project, Model: &model, Extra: &extra,
		}
	}
	added := must(signedIn.AddUserDataWithResponse(ctx, climate.UserDataRequest{
		UserMetadata: []climate.UserMetadataEntry{entry(kept), entry(gone)},
		Facets:       &climate.CommonFacets{"product": "output"},
	}))
	mine := func() []string {
		found := must(api.SearchDataWithResponse(ctx, "user", climate.File,
			&climate.SearchDataParams{Project: &project, Model: &model}))
		return strings.Fields(string(found.Body))
	}
	found := mine()
	deleted := must(signedIn.DeleteUserDataWithResponse(ctx,
		climate.UserDataSelection{"file": gone}))
	left := mine()

	refused := must(api.SearchDataWithResponse(ctx, "cmip6", climate.File,
		&climate.SearchDataParams{Time: &[]string{"tomorrow"}}))
	problem := came(refused.ApplicationproblemJSON422, refused.Body)

	report := map[string]interface{}{
		"flavours":        came(overview.JSON200, overview.Body).Flavours,
		"facets_of_cmip6": overview.JSON200.Attributes["cmip6"],
		"files":           strings.Fields(string(files.Body)),
		"total":           came(counts.JSON200, counts.Body).TotalCount,
		"variables":       counts.JSON200.Facets["variable_id"],
		"archive":         len(archive.Body),
		"email":           came(status.JSON200, status.Body).Email,
		"renewed":         token.RefreshToken != first.RefreshToken,
		"added":           came(added.JSON202, added.Body).Status,
		"found":           found,
		"deleted":         came(deleted.JSON202, deleted.Body).Status,
		"left":            left,
		"problem": map[string]interface{}{
			"type": problem.Type, "status": problem.Status,
			"detail": problem.Detail, "errors": problem.Errors,
		},
	}
	fmt.Println(string(must(json.Marshal(report))))
}
